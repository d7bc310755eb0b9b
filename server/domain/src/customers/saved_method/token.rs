//! Payment tokens: what a listing gives out for each method, good for a short time and for payments of that customer.

use multirail_kernel::address::Address;
use multirail_kernel::ids::{CustomerId, PaymentMethodId, PaymentToken};
use multirail_kernel::random::{Random, alphanumeric};
use multirail_sdk::card::Card;
use multirail_sdk::payment_method::PaymentMethodType;

/// How long a token can be paid with where no profile says how long a checkout may take, in seconds.
pub const TOKEN_SECONDS: i64 = 900;

/// Random letters and digits of one listing.
const LISTING_CHARACTERS: usize = 10;
/// Letters and digits of a method's id that end its tokens.
const METHOD_CHARACTERS: usize = 10;

/// What the tokens of one listing have in common. A token is `token_`, ten random characters of its listing and the last
/// ten of its method's id: the listing is what nobody guesses, and all of its tokens are one row, however many they are.
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

    /// What every token of it begins with.
    pub fn prefix(&self) -> &str {
        &self.0
    }

    /// The listing that a token is of, as [`prefix`](Self::prefix) says it, and how the id of its method ends; nothing where no
    /// listing gives out such a token.
    pub fn parts(token: &PaymentToken) -> Option<(&str, &str)> {
        let at = "token_".len() + LISTING_CHARACTERS;
        let (listing, end) = token.as_str().split_at_checked(at)?;
        (end.len() == METHOD_CHARACTERS).then_some((listing, end))
    }

    /// The token of a method.
    pub fn token(&self, method: &PaymentMethodId) -> PaymentToken {
        let id = method.as_str();
        let tail = &id[id.len().saturating_sub(METHOD_CHARACTERS)..];
        PaymentToken::parse(&format!("{}{tail}", self.0)).expect("parts of ids make an id")
    }
}

/// A saved method that a token stands for, with what it takes to pay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenMethod {
    pub token: PaymentToken,
    pub payment_method_id: PaymentMethodId,
    pub customer_id: CustomerId,
    /// Without its code.
    pub card: Card,
    pub payment_method_type: Option<PaymentMethodType>,
    pub billing: Option<Box<Address>>,
    /// A processor keeps it.
    pub is_kept: bool,
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
