//! The descriptions of the simulated processors.

use multirail_sdk::charge::CaptureMethod;
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::connector::{
    Absence, Capabilities, ConnectorType, CredentialsKind, Description, DisputeAbilities,
    Recoveries, Recovery, StepForm, Units, provided_by,
};
use multirail_sdk::payer_method::PayerMethodRules;
use multirail_sdk::payment_method::{PaymentMethod, PaymentMethodType};
use multirail_sdk::required_field::RequiredField;
use multirail_sdk::wallet::Wallet;
use multirail_simulator_wire::{DEBIT_SCHEMES, NAMES, PAYER_METHODS as METHODS, PayerMethod, Step};

use super::Simulator;

/// One description for each of [`NAMES`], in their order.
pub static DESCRIPTIONS: [Description; NAMES.len()] = {
    let mut all = [const { describe("") }; NAMES.len()];
    let mut place = 0;
    while place < NAMES.len() {
        all[place] = describe(NAMES[place]);
        place += 1;
    }
    all
};

/// Safe members of requests, answers and notices.
const SHOWN: &[&str] = &[
    "amount",
    "authorization",
    "challenge_required_by",
    "code",
    "currency",
    "happened_at",
    "id",
    "key",
    "operation",
    "reference",
    "status",
    "word",
];

/// Wallet settings for accounts without their own, so that every button can be tried in a sandbox.
/// Wallets that need a key of the account are left out.
const TRIED_WITH: &str = r#"{
    "samsung_pay": {
        "merchant_credentials": {
            "service_id": "sandbox_service",
            "merchant_display_name": "Sandbox shop",
            "merchant_business_country": "US",
            "allowed_brands": ["amex", "discover", "mastercard", "visa"]
        }
    },
    "paypal_sdk": { "client_id": "sandbox_client" },
    "amazon_pay": { "merchant_id": "sandbox_merchant", "store_id": "sandbox_store" },
    "paze": {
        "client_id": "sandbox_client",
        "client_name": "Sandbox shop",
        "client_profile_id": "sandbox_profile"
    },
    "click_to_pay": {
        "dpa_id": "sandbox_dpa",
        "dpa_name": "Sandbox shop",
        "locale": "en_US",
        "card_brands": ["Visa", "Mastercard", "AmericanExpress", "Discover"],
        "acquirer_bin": "400000",
        "acquirer_merchant_id": "sandbox_merchant",
        "merchant_category_code": "5942",
        "merchant_country_code": "US"
    }
}"#;

/// The members that name the payer.
const NAMED: &[RequiredField] = &[
    RequiredField::BillingEmail,
    RequiredField::BillingFirstName,
    RequiredField::BillingLastName,
];

/// The types of [`PAYER_METHODS`](multirail_simulator_wire::PAYER_METHODS), in their order, with
/// the members that they need.
const KINDS: [(PaymentMethodType, &[RequiredField]); METHODS.len()] = [
    (PaymentMethodType::Affirm, &[]),
    (PaymentMethodType::AfterpayClearpay, NAMED),
    (PaymentMethodType::AliPay, &[]),
    (PaymentMethodType::BancontactCard, &[]),
    (PaymentMethodType::Blik, &[RequiredField::BlikCode]),
    (
        PaymentMethodType::Boleto,
        &[
            RequiredField::TaxNumber,
            RequiredField::BillingFirstName,
            RequiredField::BillingLastName,
        ],
    ),
    (PaymentMethodType::Cashapp, &[]),
    (PaymentMethodType::Eps, &[]),
    (PaymentMethodType::Ideal, &[]),
    (PaymentMethodType::Klarna, &[]),
    (PaymentMethodType::MobilePay, &[]),
    (
        PaymentMethodType::Multibanco,
        &[RequiredField::BillingEmail],
    ),
    (PaymentMethodType::OnlineBankingPoland, &[]),
    (PaymentMethodType::Oxxo, NAMED),
    (PaymentMethodType::Paypal, &[]),
    (PaymentMethodType::Pix, &[]),
    (PaymentMethodType::Przelewy24, &[]),
    (
        PaymentMethodType::SepaBankTransfer,
        &[RequiredField::SepaCountry],
    ),
    (PaymentMethodType::Swish, &[]),
    (PaymentMethodType::Trustly, &[]),
    (PaymentMethodType::Twint, &[]),
    (PaymentMethodType::UpiCollect, &[RequiredField::UpiAddress]),
    (PaymentMethodType::UpiIntent, &[]),
    (PaymentMethodType::UpiQr, &[]),
    (PaymentMethodType::Vipps, &[]),
    (PaymentMethodType::WeChatPay, &[]),
];

/// The types of [`DEBIT_SCHEMES`], in their order, with the members that they need.
const DEBITS: [(PaymentMethodType, &[RequiredField]); DEBIT_SCHEMES.len()] = [
    (
        PaymentMethodType::Ach,
        &[
            RequiredField::AchAccount,
            RequiredField::AchRouting,
            RequiredField::AchHolder,
        ],
    ),
    (
        PaymentMethodType::Bacs,
        &[
            RequiredField::BacsAccount,
            RequiredField::BacsSortCode,
            RequiredField::BacsHolder,
        ],
    ),
    (
        PaymentMethodType::Becs,
        &[
            RequiredField::BecsAccount,
            RequiredField::BecsBsb,
            RequiredField::BecsHolder,
        ],
    ),
    (
        PaymentMethodType::Sepa,
        &[RequiredField::SepaDebitIban, RequiredField::SepaDebitHolder],
    ),
];

const RULES: usize = METHODS.len() + DEBITS.len();

static PAYER_METHODS: [PayerMethodRules; RULES] = {
    let mut all = [PayerMethodRules::new(KINDS[0].0, &[]); RULES];
    let mut place = 0;
    while place < METHODS.len() {
        let (kind, required) = KINDS[place];
        all[place] = rules(kind, METHODS[place]).requiring(required);
        place += 1;
    }
    let mut scheme = 0;
    while scheme < DEBITS.len() {
        let (kind, required) = DEBITS[scheme];
        let currencies = DEBIT_SCHEMES[scheme].currencies;
        let debit = PayerMethodRules::new(kind, currencies);
        all[place + scheme] = debit.requiring(required).recurring();
        scheme += 1;
    }
    all
};

const fn rules(kind: PaymentMethodType, method: PayerMethod) -> PayerMethodRules {
    PayerMethodRules {
        reserves: method.reserves,
        shows: match method.step {
            Step::Page => None,
            Step::QrCode => Some(StepForm::QrCode),
            Step::WaitScreen => Some(StepForm::WaitScreen),
            Step::Voucher => Some(StepForm::Voucher),
            Step::Transfer => Some(StepForm::BankTransfer),
        },
        ..PayerMethodRules::new(kind, method.currencies).in_countries(method.countries)
    }
}

const fn describe(name: &'static str) -> Description {
    Description {
        name,
        is_simulator: true,
        offers: &[ConnectorType::PaymentProcessor],
        credentials: CredentialsKind::HeaderKey,
        credential_names: &["API key (any text)"],
        webhook_secrets: &["Signing key (any text)"],
        settings: &[],
        shown: SHOWN,
        api_version: None,
        notice_answer: "",
        category_of: super::errors::of_code,
        capabilities: Capabilities {
            payment_methods: &[
                PaymentMethod::Card,
                PaymentMethod::Wallet,
                PaymentMethod::NetworkToken,
                PaymentMethod::BankRedirect,
                PaymentMethod::PayLater,
                PaymentMethod::BankTransfer,
                PaymentMethod::BankDebit,
                PaymentMethod::Upi,
                PaymentMethod::Voucher,
            ],
            capture_methods: CaptureMethod::ALL,
            units: Units::ISO,
            redirects: true,
            authenticates_by_browser: false,
            verifies_cards: true,
            // The processor files a request before it answers, and only once.
            recovery: Recoveries::all(Recovery::LookUp(Absence::Proves)),
            // The processor supports this, but a sandbox should show how unknown outcomes are
            // followed up.
            repeats_authorizations: false,
            several_captures_setting: None,
            kept_answers: None,
            completes_authorizations: Some(provided_by::<Simulator, _>),
            looks_over: None,
            asks_with_return: false,
            voids_captured: Some(provided_by::<Simulator, _>),
            charges_kept: true,
            keeps_customers: None,
            deletes_stored: None,
            raises_authorizations: Some(provided_by::<Simulator, _>),
            holds_for_review: true,
            extends_authorizations: true,
            overcaptures: true,
            payer_methods: &PAYER_METHODS,
            wallets: WalletAbilities {
                sessions: Some((
                    provided_by::<Simulator, _>,
                    &[Wallet::ApplePay, Wallet::Klarna, Wallet::OpenBanking],
                )),
                tried_with: Some(TRIED_WITH),
                opens_sealed: &[],
                network_tokens: true,
            },
            disputes: DisputeAbilities {
                accepts: Some((
                    provided_by::<Simulator, _>,
                    Recovery::LookUp(Absence::Proves),
                )),
                challenges: Some((
                    provided_by::<Simulator, _>,
                    Recovery::LookUp(Absence::Proves),
                )),
                finds: Some(provided_by::<Simulator, _>),
                lists: Some(provided_by::<Simulator, _>),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use multirail_sdk::payer_method::VARIETIES;

    use super::*;

    #[test]
    fn every_scheme_of_debits_is_offered_under_its_own_word() {
        for ((kind, _), scheme) in DEBITS.iter().zip(DEBIT_SCHEMES) {
            assert_eq!(kind.as_str(), scheme.word);
            let rules = DESCRIPTIONS[0].capabilities.payer_method(*kind);
            assert!(rules.is_some_and(|rules| rules.recurs), "{kind}");
        }
    }

    #[test]
    fn every_method_of_payers_is_offered_under_its_own_word() {
        for ((kind, _), method) in KINDS.iter().zip(METHODS) {
            assert_eq!(kind.as_str(), method.word);
        }
        for variety in &VARIETIES {
            let mut kinds = KINDS.iter();
            assert!(
                kinds.any(|(kind, _)| *kind == variety.kind),
                "{}",
                variety.kind
            );
            let families = DESCRIPTIONS[0].capabilities.payment_methods;
            assert!(families.contains(&variety.method), "{}", variety.method);
        }
    }
}
