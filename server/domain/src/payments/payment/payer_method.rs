//! A method that the payer finishes elsewhere, as the caller sends it.

use multirail_kernel::address::{Address, Place};
use multirail_kernel::country::CountryCode;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::payer_method::{PayerMethod, Variety};
use multirail_sdk::payment_method::PaymentMethodType;

/// A payer's method, with the data of one member of `payment_method_data`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayerMethodInput {
    pub kind: PaymentMethodType,
    pub bank_name: Option<BankName>,
    /// The country of the bank.
    pub country: Option<CountryCode>,
    pub payer: PayerInput,
}

/// The members that describe the payer. They complete `payment_method_data.billing`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PayerInput {
    /// First and last name.
    pub name: Option<String>,
    pub email: Option<String>,
    pub country: Option<CountryCode>,
}

impl PayerMethodInput {
    /// Returns the method, and the billing address with the payer's data.
    ///
    /// # Errors
    /// A member that contradicts the billing address.
    pub(crate) fn check(
        self,
        variety: &Variety,
        billing: Option<Box<Address>>,
    ) -> Result<(PayerMethod, Option<Box<Address>>), Refusal> {
        let billing = self.payer.complete(variety, billing)?;
        let method = PayerMethod {
            kind: self.kind,
            bank_name: self.bank_name,
            country: self.country,
            unread: UnreadMembers::default(),
        };
        Ok((method, billing))
    }
}

impl PayerInput {
    fn complete(
        self,
        variety: &Variety,
        billing: Option<Box<Address>>,
    ) -> Result<Option<Box<Address>>, Refusal> {
        if self == PayerInput::default() {
            return Ok(billing);
        }
        let mut billing = billing.unwrap_or_default();
        let differs = |member: &str| {
            Refusal::invalid_value(format!(
                "payment_method_data.{} and payment_method_data.billing have different values for {member}",
                variety.member
            ))
        };
        agree(&mut billing.email, self.email, || differs("email"))?;
        if self.country.is_some() || self.name.is_some() {
            let place = billing.address.get_or_insert_with(Place::default);
            agree(&mut place.country, self.country, || differs("country"))?;
            let (first, last) = parted(self.name);
            agree(&mut place.first_name, first, || differs("first_name"))?;
            agree(&mut place.last_name, last, || differs("last_name"))?;
        }
        Ok(Some(billing))
    }
}

/// Sets `known` to the given value, unless the two differ.
fn agree<T: PartialEq>(
    known: &mut Option<T>,
    given: Option<T>,
    differs: impl FnOnce() -> Refusal,
) -> Result<(), Refusal> {
    match (&known, given) {
        (_, None) => Ok(()),
        (None, given) => {
            *known = given;
            Ok(())
        }
        (Some(one), Some(other)) if *one == other => Ok(()),
        (Some(_), Some(_)) => Err(differs()),
    }
}

/// Splits a name before its last word. A single word is a last name.
fn parted(name: Option<String>) -> (Option<String>, Option<String>) {
    let Some(name) = name else {
        return (None, None);
    };
    match name.trim().rsplit_once(' ') {
        Some((first, last)) => (Some(first.trim_end().to_owned()), Some(last.to_owned())),
        None => (None, Some(name.trim().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ideal() -> &'static Variety {
        Variety::of_type(PaymentMethodType::Ideal).expect("a variety")
    }

    fn payer() -> PayerInput {
        PayerInput {
            name: Some("Ada Ngozi Okafor".to_owned()),
            email: Some("ada@example.com".to_owned()),
            country: "NL".parse().ok(),
        }
    }

    #[test]
    fn the_payers_data_complete_the_billing_address() {
        let given = Box::new(Address {
            email: Some("ada@example.com".to_owned()),
            ..Address::default()
        });
        let address = payer().complete(ideal(), Some(given));
        let address = address.expect("no contradiction").expect("an address");
        assert_eq!(address.email.as_deref(), Some("ada@example.com"));
        let place = address.address.expect("a place");
        assert_eq!(place.first_name.as_deref(), Some("Ada Ngozi"));
        assert_eq!(place.last_name.as_deref(), Some("Okafor"));
        assert_eq!(place.country.map(CountryCode::as_str), Some("NL"));
    }

    #[test]
    fn data_that_contradict_the_billing_address_are_refused() {
        let given = Box::new(Address {
            email: Some("eve@example.com".to_owned()),
            ..Address::default()
        });
        let refusal = payer()
            .complete(ideal(), Some(given))
            .expect_err("a contradiction");
        assert_eq!(
            refusal.to_string(),
            "payment_method_data.bank_redirect.ideal and payment_method_data.billing have different values for email"
        );
    }

    #[test]
    fn a_payer_without_data_changes_nothing() {
        assert_eq!(PayerInput::default().complete(ideal(), None), Ok(None));
        assert_eq!(
            parted(Some("Okafor".to_owned())),
            (None, Some("Okafor".to_owned()))
        );
    }
}
