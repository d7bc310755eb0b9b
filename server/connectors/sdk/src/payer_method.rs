//! Methods that the payer finishes outside the merchant's checkout, such as at a page of a bank.

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::record_object::record_object;
use multirail_kernel::unread::UnreadMembers;

use crate::bank_name::BankName;
use crate::charge::CaptureMethod;
use crate::payment_method::{PaymentMethod, PaymentMethodType};

record_object! {
    /// A method that the payer finishes elsewhere, with the payer's choices. Nobody can pay with it
    /// alone, so that it is stored as it was given.
    #[derive(Eq)]
    pub struct PayerMethod {
        kind: PaymentMethodType,
    } and maybe {
        bank_name: BankName,
        /// The country of the bank.
        country: CountryCode,
    }
}

impl PayerMethod {
    /// Returns a method without choices of the payer.
    pub fn new(kind: PaymentMethodType) -> Self {
        PayerMethod {
            kind,
            bank_name: None,
            country: None,
            unread: UnreadMembers::default(),
        }
    }
}

/// A type of such a method, and its place in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variety {
    pub method: PaymentMethod,
    pub kind: PaymentMethodType,
    /// The member of `payment_method_data` with the method's data.
    pub member: &'static str,
}

/// Every method that payers finish elsewhere.
pub static VARIETIES: [Variety; 3] = [
    Variety {
        method: PaymentMethod::BankRedirect,
        kind: PaymentMethodType::Ideal,
        member: "bank_redirect.ideal",
    },
    Variety {
        method: PaymentMethod::PayLater,
        kind: PaymentMethodType::Klarna,
        member: "pay_later.klarna_redirect",
    },
    Variety {
        method: PaymentMethod::Wallet,
        kind: PaymentMethodType::Paypal,
        member: "wallet.paypal_redirect",
    },
];

impl Variety {
    /// Returns the variety of this type, if payers finish it elsewhere.
    pub fn of_type(kind: PaymentMethodType) -> Option<&'static Variety> {
        VARIETIES.iter().find(|variety| variety.kind == kind)
    }
}

/// A method that a connector offers, with its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PayerMethodRules {
    pub kind: PaymentMethodType,
    /// The only accepted currencies. Empty: every currency.
    pub currencies: &'static [Currency],
    /// The money can be reserved, and captured later.
    pub reserves: bool,
}

impl PayerMethodRules {
    /// Checks whether the method can be paid in this currency.
    pub fn accepts(&self, currency: Currency) -> bool {
        self.currencies.is_empty() || self.currencies.contains(&currency)
    }

    /// Checks whether the method can be captured in this way.
    pub fn captures(&self, method: CaptureMethod) -> bool {
        self.reserves || method.is_automatic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variety_lies_under_its_method_once() {
        for variety in &VARIETIES {
            let Variety {
                method,
                kind,
                member,
            } = variety;
            assert!(kind.belongs_to(*method), "{kind}");
            assert!(member.starts_with(&format!("{method}.")), "{member}");
            assert_eq!(Variety::of_type(*kind), Some(variety));
        }
        assert_eq!(Variety::of_type(PaymentMethodType::Credit), None);
    }

    #[test]
    fn an_empty_list_of_currencies_excludes_none() {
        let rules = |currencies| PayerMethodRules {
            kind: PaymentMethodType::Ideal,
            currencies,
            reserves: false,
        };
        assert!(rules(&[]).accepts(Currency::USD));
        assert!(rules(&[Currency::EUR]).accepts(Currency::EUR));
        assert!(!rules(&[Currency::EUR]).accepts(Currency::USD));
    }

    #[test]
    fn only_reserved_money_is_captured_later() {
        let rules = |reserves| PayerMethodRules {
            kind: PaymentMethodType::Ideal,
            currencies: &[],
            reserves,
        };
        assert!(rules(false).captures(CaptureMethod::Automatic));
        assert!(!rules(false).captures(CaptureMethod::Manual));
        assert!(rules(true).captures(CaptureMethod::Manual));
    }
}
