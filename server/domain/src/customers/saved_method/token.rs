//! Payment tokens. A listing of saved methods issues one for each method; it is valid for a short time and for payments of that
//! customer.

use multirail_kernel::address::Address;
use multirail_kernel::ids::{CustomerId, PaymentMethodId, PaymentToken};
use multirail_kernel::random::{Random, alphanumeric};
use multirail_sdk::consent::Consent;
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payment_method::PaymentMethodType;

/// Lifetime of a token in seconds, if no profile limits the time of a checkout.
pub const TOKEN_SECONDS: i64 = 900;

/// Number of random letters and digits of a listing.
const LISTING_CHARACTERS: usize = 10;
/// Number of letters and digits of a method's id at the end of its token.
const METHOD_CHARACTERS: usize = 10;

/// The common part of one listing's tokens. A token is `token_`, ten random characters of its listing, and the last ten of its
/// method's id. The random part protects against guessing. All tokens of a listing are one row in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenListing(String);

impl TokenListing {
    /// Begins a listing.
    pub fn begin(random: &dyn Random) -> Self {
        TokenListing(format!(
            "token_{}",
            alphanumeric(random, LISTING_CHARACTERS)
        ))
    }

    /// Returns the common prefix of its tokens.
    pub fn prefix(&self) -> &str {
        &self.0
    }

    /// Splits a token into its listing, in the form of [`prefix`](Self::prefix), and the end of its method's id. `None` for a
    /// token that no listing issues.
    pub fn parts(token: &PaymentToken) -> Option<(&str, &str)> {
        let at = "token_".len() + LISTING_CHARACTERS;
        let (listing, end) = token.as_str().split_at_checked(at)?;
        (end.len() == METHOD_CHARACTERS).then_some((listing, end))
    }

    /// Returns the token of a method.
    pub fn token(&self, method: &PaymentMethodId) -> PaymentToken {
        let id = method.as_str();
        let tail = &id[id.len().saturating_sub(METHOD_CHARACTERS)..];
        PaymentToken::parse(&format!("{}{tail}", self.0)).expect("parts of ids make an id")
    }
}

/// The saved method of a token, with the data that a payment needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenMethod {
    pub token: PaymentToken,
    pub payment_method_id: PaymentMethodId,
    pub customer_id: CustomerId,
    /// A card without the security code, or a bank account.
    pub data: PaymentMethodData,
    pub payment_method_type: Option<PaymentMethodType>,
    pub billing: Option<Box<Address>>,
    /// True if a processor stores it.
    pub is_kept: bool,
    /// True if the payer consented to its use when it was saved.
    pub has_consent: bool,
    /// The payer's consent to debits of a bank account, given when it was saved.
    pub consent: Option<Box<Consent>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use multirail_kernel::random::SeededRandom;

    #[test]
    fn a_token_has_20_characters_that_differ_by_listing_and_method() {
        let random = SeededRandom::new(7);
        let (one, other) = (TokenListing::begin(&random), TokenListing::begin(&random));
        let method = |id: &str| PaymentMethodId::parse(id).expect("an id");
        let first = one.token(&method("pm_aaaaaaaaaabbbbbbbbbb"));
        assert_eq!(first.as_str().len(), "token_".len() + 20);
        assert!(first.as_str().ends_with("bbbbbbbbbb"), "{first}");
        assert_ne!(first, other.token(&method("pm_aaaaaaaaaabbbbbbbbbb")));
        assert_ne!(first, one.token(&method("pm_aaaaaaaaaabbbbbbbbbc")));
    }

    #[test]
    fn a_token_says_its_listing_and_the_end_of_its_method() {
        let listing = TokenListing::begin(&SeededRandom::new(7));
        let method = PaymentMethodId::parse("pm_aaaaaaaaaabbbbbbbbbb").expect("an id");
        let token = listing.token(&method);
        let parts = TokenListing::parts(&token);
        assert_eq!(parts, Some((listing.prefix(), "bbbbbbbbbb")));
        for other in ["token_", "token_1234567890", "token_12345678901234567890x"] {
            let other = PaymentToken::parse(other).expect("an id");
            assert_eq!(TokenListing::parts(&other), None, "{other}");
        }
    }
}
