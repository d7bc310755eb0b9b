//! A bank account to debit, as the caller sends it, and the consent that a debit needs.

use multirail_kernel::address::{Address, Place};
use multirail_kernel::refusal::Refusal;
use multirail_sdk::bank_account::BankAccount;

use crate::customers::saved_method::bank_account::DebitInput;
use crate::payments::payment::payer_method::{PayerInput, agree, differs};
use crate::payments::payment::{AttemptMethod, Payment};

/// An account to debit, with the data of one member of `payment_method_data.bank_debit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankDebitInput {
    pub account: DebitInput,
    /// Name and e-mail address of the payer.
    pub payer: PayerInput,
    /// Postal address of the payer.
    pub place: Option<Place>,
}

impl BankDebitInput {
    /// Returns the account, and the billing address with the payer's data. The payer holds the account, unless the request
    /// names another holder.
    ///
    /// # Errors
    /// An invalid number, or a member that contradicts the billing address.
    pub(crate) fn check(
        self,
        member: &str,
        billing: Option<Box<Address>>,
    ) -> Result<(BankAccount, Option<Box<Address>>), Refusal> {
        let BankDebitInput {
            account,
            payer,
            place,
        } = self;
        let account = DebitInput {
            holder_name: account
                .holder_name
                .filter(|name| !name.trim().is_empty())
                .or_else(|| payer.name.clone()),
            ..account
        };
        let account = account.check(&format!("payment_method_data.{member}"))?;
        let billing = with_place(member, place, billing)?;
        Ok((account, payer.complete(member, billing)?))
    }
}

fn with_place(
    member: &str,
    place: Option<Place>,
    billing: Option<Box<Address>>,
) -> Result<Option<Box<Address>>, Refusal> {
    let Some(place) = place else {
        return Ok(billing);
    };
    let mut billing = billing.unwrap_or_default();
    let known = billing.address.get_or_insert_with(Place::default);
    complete(known, place, member)?;
    Ok(Some(billing))
}

/// Adds the given members to a known address. Only members that both have can contradict each other.
fn complete(known: &mut Place, given: Place, member: &str) -> Result<(), Refusal> {
    let texts = [
        ("first_name", &mut known.first_name, given.first_name),
        ("last_name", &mut known.last_name, given.last_name),
        ("line1", &mut known.line1, given.line1),
        ("line2", &mut known.line2, given.line2),
        ("line3", &mut known.line3, given.line3),
        ("city", &mut known.city, given.city),
        ("state", &mut known.state, given.state),
        ("zip", &mut known.zip, given.zip),
        ("origin_zip", &mut known.origin_zip, given.origin_zip),
    ];
    for (name, text, other) in texts {
        agree(text, other, || differs(member, &format!("address.{name}")))?;
    }
    agree(&mut known.country, given.country, || {
        differs(member, "address.country")
    })
}

impl Payment {
    /// Returns whether the payer has yet to consent to this debit. A charge without the payer, and a method that was saved with
    /// their consent, rest on the mandate that the payer gave then.
    pub(crate) fn awaits_consent_to_debit(&self) -> bool {
        let Some(instrument) = self.instrument() else {
            return false;
        };
        let is_debit = instrument.details.bank_debit().is_some();
        let method = self.active().method.as_deref();
        is_debit && !self.is_merchant_initiated() && !method.is_some_and(AttemptMethod::has_consent)
    }
}

#[cfg(test)]
mod tests {
    use multirail_kernel::secret::SecretText;
    use multirail_sdk::bank_account::BankScheme;

    use super::*;

    const MEMBER: &str = "bank_debit.sepa_bank_debit";

    fn input(iban: &str) -> BankDebitInput {
        BankDebitInput {
            account: DebitInput::new(BankScheme::Sepa, SecretText::new(iban)),
            payer: PayerInput {
                name: Some("Ada Okafor".to_owned()),
                email: Some("ada@example.com".to_owned()),
                country: None,
            },
            place: Some(Place {
                city: Some("Berlin".to_owned()),
                ..Place::default()
            }),
        }
    }

    #[test]
    fn the_payer_holds_the_account_unless_another_holder_is_named() {
        let (account, billing) = input("DE89 3704 0044 0532 0130 00")
            .check(MEMBER, None)
            .expect("valid");
        assert_eq!(account.holder_name.as_deref(), Some("Ada Okafor"));
        assert_eq!(account.number.expose(), "DE89370400440532013000");
        let billing = billing.expect("an address");
        assert_eq!(billing.email.as_deref(), Some("ada@example.com"));
        let place = billing.address.expect("a place");
        assert_eq!(place.city.as_deref(), Some("Berlin"));
        assert_eq!(place.last_name.as_deref(), Some("Okafor"));
        let mut blank = input("DE89370400440532013000");
        blank.account.holder_name = Some(" ".to_owned());
        let (account, _) = blank.check(MEMBER, None).expect("valid");
        assert_eq!(account.holder_name.as_deref(), Some("Ada Okafor"));
        let mut of_another = input("DE89370400440532013000");
        of_another.account.holder_name = Some("Okafor GmbH".to_owned());
        let (account, _) = of_another.check(MEMBER, None).expect("valid");
        assert_eq!(account.holder_name.as_deref(), Some("Okafor GmbH"));
    }

    #[test]
    fn a_bad_number_and_another_address_are_named() {
        let refused = input("DE88370400440532013000").check(MEMBER, None);
        let refused = refused.expect_err("check digits").to_string();
        assert!(
            refused.contains("payment_method_data.bank_debit.sepa_bank_debit.iban"),
            "{refused}"
        );
        let elsewhere = Address {
            address: Some(Place {
                city: Some("Bonn".to_owned()),
                ..Place::default()
            }),
            ..Address::default()
        };
        let refused = input("DE89370400440532013000").check(MEMBER, Some(Box::new(elsewhere)));
        assert_eq!(
            refused.expect_err("a contradiction").to_string(),
            "payment_method_data.bank_debit.sepa_bank_debit and payment_method_data.billing have different values for address.city"
        );
    }

    #[test]
    fn an_address_that_is_given_twice_is_completed() {
        let known = Address {
            address: Some(Place {
                city: Some("Berlin".to_owned()),
                zip: Some("10115".to_owned()),
                ..Place::default()
            }),
            ..Address::default()
        };
        let mut again = input("DE89370400440532013000");
        again.place = Some(Place {
            line1: Some("Invalidenstr. 1".to_owned()),
            city: Some("Berlin".to_owned()),
            country: "DE".parse().ok(),
            ..Place::default()
        });
        let (_, billing) = again.check(MEMBER, Some(Box::new(known))).expect("agreed");
        let place = billing.expect("an address").address.expect("a place");
        assert_eq!(place.line1.as_deref(), Some("Invalidenstr. 1"));
        assert_eq!(place.city.as_deref(), Some("Berlin"));
        assert_eq!(place.zip.as_deref(), Some("10115"));
        let country = place.country.map(|country| country.as_str());
        assert_eq!(country, Some("DE"));
    }
}
