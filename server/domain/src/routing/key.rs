//! The keys of a payment that rules can compare. (Facts 10.1)

use std::str::FromStr;

use multirail_kernel::country::CountryCode;
use multirail_kernel::currency::Currency;
use multirail_kernel::open_json;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::words::words;
use multirail_sdk::card::Network;
use multirail_sdk::charge::{AuthenticationType, CaptureMethod, FutureUsage};
use multirail_sdk::consent::ConsentKind;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};

words! {
    /// The left side of a condition.
    pub enum Key {
        PaymentMethod = "payment_method",
        /// The first 6 to 8 digits of the card.
        CardBin = "card_bin",
        CardType = "card_type",
        CardNetwork = "card_network",
        PayLater = "pay_later",
        GiftCard = "gift_card",
        Wallet = "wallet",
        Upi = "upi",
        Voucher = "voucher",
        BankTransfer = "bank_transfer",
        BankRedirect = "bank_redirect",
        BankDebit = "bank_debit",
        Crypto = "crypto",
        Reward = "reward",
        CardRedirect = "card_redirect",
        RealTimePayment = "real_time_payment",
        OpenBanking = "open_banking",
        MobilePayment = "mobile_payment",
        MandateAcceptanceType = "mandate_acceptance_type",
        PaymentType = "payment_type",
        /// One entry of the payment's `metadata`.
        Metadata = "metadata",
        /// The payment's total, in minor units of its currency.
        Amount = "amount",
        Currency = "currency",
        AuthenticationType = "authentication_type",
        CaptureMethod = "capture_method",
        BusinessCountry = "business_country",
        /// Country of the billing address.
        BillingCountry = "billing_country",
        BusinessLabel = "business_label",
        SetupFutureUsage = "setup_future_usage",
        /// The caller's word.
        IssuerName = "issuer_name",
        /// The caller's word.
        IssuerCountry = "issuer_country",
    }
}

words! {
    /// The relation of a payment to later ones (`payment_type`).
    pub enum PaymentType {
        /// The payment method isn't saved for charges without the payer.
        NonMandate = "non_mandate",
        /// After this payment the payment method may be charged without the payer.
        NewMandate = "new_mandate",
        /// The payment method is saved for charges without the payer, with nothing to pay now.
        SetupMandate = "setup_mandate",
        /// A charge without the payer.
        RecurringMandate = "recurring_mandate",
    }
}

/// The values that a key can be compared with.
#[derive(Clone, Copy)]
pub enum Form {
    Number,
    /// Only words that pass this check.
    Words(fn(&str) -> bool),
    /// A text that passes this check.
    Text(fn(&str) -> bool),
    /// A key of the payment's metadata and its value.
    Metadata,
}

/// Keys that other systems' rules have but payments here don't.
const NOT_KNOWN: [&str; 6] = [
    "mandate_type",
    "customer_device_platform",
    "customer_device_type",
    "customer_device_display_size",
    "acquirer_country",
    "acquirer_fraud_rate",
];

impl Key {
    /// Reads the word at a path. `country` is an older name of `business_country`.
    ///
    /// # Errors
    /// [`Refusal::FlowNotSupported`] for a known key that payments here don't have, [`Refusal::InvalidValue`] for any other
    /// word.
    pub fn parse(word: &str, path: &str) -> Result<Self, Refusal> {
        if word == "country" {
            return Ok(Key::BusinessCountry);
        }
        word.parse().map_err(|_| match NOT_KNOWN.contains(&word) {
            true => Refusal::FlowNotSupported {
                flow: format!("{path} {word}"),
            },
            false => open_json::malformed(path, "is not a key of a payment that rules can compare"),
        })
    }

    /// Returns the values that the key can be compared with.
    pub fn form(self) -> Form {
        match self {
            Key::PaymentMethod => Form::Words(is::<PaymentMethod>),
            Key::CardType => Form::Words(|word| is_type(word, PaymentMethod::Card)),
            Key::CardNetwork => {
                Form::Words(|word| word.parse::<Network>().is_ok_and(|n| n.as_str() == word))
            }
            Key::PayLater => Form::Words(|word| is_type(word, PaymentMethod::PayLater)),
            Key::GiftCard => Form::Words(|word| is_type(word, PaymentMethod::GiftCard)),
            Key::Wallet => Form::Words(|word| is_type(word, PaymentMethod::Wallet)),
            Key::Upi => Form::Words(|word| is_type(word, PaymentMethod::Upi)),
            Key::Voucher => Form::Words(|word| is_type(word, PaymentMethod::Voucher)),
            Key::BankTransfer => Form::Words(|word| is_type(word, PaymentMethod::BankTransfer)),
            Key::BankRedirect => Form::Words(|word| is_type(word, PaymentMethod::BankRedirect)),
            Key::BankDebit => Form::Words(|word| is_type(word, PaymentMethod::BankDebit)),
            Key::Crypto => Form::Words(|word| is_type(word, PaymentMethod::Crypto)),
            Key::Reward => Form::Words(|word| is_type(word, PaymentMethod::Reward)),
            Key::CardRedirect => Form::Words(|word| is_type(word, PaymentMethod::CardRedirect)),
            Key::RealTimePayment => {
                Form::Words(|word| is_type(word, PaymentMethod::RealTimePayment))
            }
            Key::OpenBanking => Form::Words(|word| is_type(word, PaymentMethod::OpenBanking)),
            Key::MobilePayment => Form::Words(|word| is_type(word, PaymentMethod::MobilePayment)),
            Key::MandateAcceptanceType => Form::Words(is::<ConsentKind>),
            Key::PaymentType => Form::Words(is::<PaymentType>),
            Key::Currency => Form::Words(is::<Currency>),
            Key::AuthenticationType => Form::Words(is::<AuthenticationType>),
            Key::CaptureMethod => Form::Words(is::<CaptureMethod>),
            Key::SetupFutureUsage => Form::Words(is::<FutureUsage>),
            Key::BusinessCountry | Key::BillingCountry | Key::IssuerCountry => {
                Form::Words(is::<CountryCode>)
            }
            Key::Amount => Form::Number,
            Key::Metadata => Form::Metadata,
            Key::CardBin => Form::Text(|text| {
                (6..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
            }),
            Key::BusinessLabel | Key::IssuerName => Form::Text(|_| true),
        }
    }

    /// Returns the payment method whose types are the key's words.
    pub fn family(self) -> Option<PaymentMethod> {
        match self {
            Key::PayLater => Some(PaymentMethod::PayLater),
            Key::GiftCard => Some(PaymentMethod::GiftCard),
            Key::Wallet => Some(PaymentMethod::Wallet),
            Key::Upi => Some(PaymentMethod::Upi),
            Key::Voucher => Some(PaymentMethod::Voucher),
            Key::BankTransfer => Some(PaymentMethod::BankTransfer),
            Key::BankRedirect => Some(PaymentMethod::BankRedirect),
            Key::BankDebit => Some(PaymentMethod::BankDebit),
            Key::Crypto => Some(PaymentMethod::Crypto),
            Key::Reward => Some(PaymentMethod::Reward),
            Key::CardRedirect => Some(PaymentMethod::CardRedirect),
            Key::RealTimePayment => Some(PaymentMethod::RealTimePayment),
            Key::OpenBanking => Some(PaymentMethod::OpenBanking),
            Key::MobilePayment => Some(PaymentMethod::MobilePayment),
            Key::PaymentMethod
            | Key::CardBin
            | Key::CardType
            | Key::CardNetwork
            | Key::MandateAcceptanceType
            | Key::PaymentType
            | Key::Metadata
            | Key::Amount
            | Key::Currency
            | Key::AuthenticationType
            | Key::CaptureMethod
            | Key::BusinessCountry
            | Key::BillingCountry
            | Key::BusinessLabel
            | Key::SetupFutureUsage
            | Key::IssuerName
            | Key::IssuerCountry => None,
        }
    }
}

fn is<T: FromStr>(word: &str) -> bool {
    word.parse::<T>().is_ok()
}

fn is_type(word: &str, of: PaymentMethod) -> bool {
    word.parse::<PaymentMethodType>()
        .is_ok_and(|kind| kind.belongs_to(of))
}
