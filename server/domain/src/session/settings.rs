//! What an account says of its wallets: members of `connector_wallets_details`, which rest sealed, or of `metadata`.

use multirail_kernel::notes;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::wallet::Wallet;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::connector_account::ConnectorAccount;
use crate::session::apple_pay::ApplePaySettings;
use crate::session::google_pay::GooglePaySettings;
use crate::session::opening::WalletKey;
use crate::session::others::{
    AmazonPaySettings, ClickToPaySettings, PaypalSettings, PazeSettings, SamsungPaySettings,
};

/// The member of an account that holds certificates and settings of wallets.
pub const WALLETS_DETAILS: &str = "connector_wallets_details";

/// The other form of Apple Pay's settings.
const COMBINED: &str = "apple_pay_combined";

/// Settings of a wallet, and where among the details they stand.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    pub path: String,
    pub settings: &'a Value,
}

/// Where details have settings of a wallet, the place that wins first.
pub(crate) fn places(wallet: Wallet, details: &Map<String, Value>) -> Vec<Place<'_>> {
    let own = members(wallet).0.iter();
    own.filter_map(|member| {
        let settings = inside(member, details.get(*member)?)?;
        let below = if *member == COMBINED { ".manual" } else { "" };
        let path = format!("{WALLETS_DETAILS}.{member}{below}");
        Some(Place { path, settings })
    })
    .collect()
}

/// What a member of the details says of its wallet. Credentials of the merchant's own stand beside ready-made ones in the combined
/// form, which this service has none of.
fn inside<'a>(member: &str, value: &'a Value) -> Option<&'a Value> {
    match member {
        COMBINED => value.get("manual"),
        _ => Some(value),
    }
}

/// What it takes to show one wallet's button.
#[derive(Clone, Debug, PartialEq)]
pub enum WalletSettings {
    ApplePay(Box<ApplePaySettings>),
    GooglePay(Box<GooglePaySettings>),
    SamsungPay(Box<SamsungPaySettings>),
    Paypal(PaypalSettings),
    AmazonPay(Box<AmazonPaySettings>),
    Paze(PazeSettings),
    ClickToPay(Box<ClickToPaySettings>),
    /// The processor opens a session, and needs no settings of ours for it.
    Opened,
}

/// Where a wallet's settings stand, the form that wins first, and what they are in words.
fn members(wallet: Wallet) -> (&'static [&'static str], &'static str) {
    match wallet {
        Wallet::ApplePay => (
            &[COMBINED, "apple_pay"],
            "an object with payment_request_data {label, ...} and, for a certificate of your own, session_token_data \
             {certificate, certificate_keys, merchant_identifier, display_name, initiative, initiative_context}, and perhaps \
             payment_processing_certificate_key; in apple_pay_combined inside manual",
        ),
        Wallet::GooglePay => (
            &["google_pay"],
            "an object with merchant_info {merchant_name, ...} and allowed_payment_methods [{type, parameters, \
             tokenization_specification}], and perhaps payment_decryption {private_key, recipient_id, root_signing_keys}",
        ),
        Wallet::SamsungPay => (
            &["samsung_pay"],
            "an object with merchant_credentials {service_id, merchant_display_name, merchant_business_country, \
             allowed_brands}",
        ),
        Wallet::Paypal => (&["paypal_sdk"], "an object with client_id"),
        Wallet::AmazonPay => (
            &["amazon_pay"],
            "an object with merchant_id and store_id, and perhaps delivery_options",
        ),
        Wallet::Paze => (
            &["paze"],
            "an object with client_id, client_name and client_profile_id",
        ),
        Wallet::ClickToPay => (
            &["click_to_pay"],
            "an object with dpa_id, dpa_name, locale, card_brands, acquirer_bin, acquirer_merchant_id, \
             merchant_category_code and merchant_country_code",
        ),
        Wallet::Klarna | Wallet::OpenBanking => (&[], ""),
    }
}

/// Checks what a caller sends as `connector_wallets_details`.
///
/// # Errors
/// [`Refusal::InvalidFormat`] naming a wallet that has no settings there, or whose settings can't be read.
pub fn check_wallet_details(details: &Map<String, Value>) -> Result<(), Refusal> {
    for (member, value) in details {
        let mut wallets = Wallet::ALL.iter().copied();
        let wallet = wallets.find(|wallet| members(*wallet).0.contains(&member.as_str()));
        let Some(wallet) = wallet else {
            let known = Wallet::ALL.iter().flat_map(|wallet| members(*wallet).0);
            let known: Vec<&str> = known.copied().collect();
            return Err(Refusal::invalid_format(
                WALLETS_DETAILS,
                format!("settings of: {}", known.join(", ")),
            ));
        };
        let own = inside(member, value).unwrap_or(value);
        let is_whole = WalletKey::is_whole(wallet, own);
        if !value.is_null() && (read(wallet, member, value).is_none() || !is_whole) {
            return Err(Refusal::invalid_format(
                format!("{WALLETS_DETAILS}.{member}"),
                members(wallet).1,
            ));
        }
    }
    Ok(())
}

impl WalletSettings {
    /// Whether the wallet has to be told where the money is taken. What the processor's own kit asks Google is its business.
    pub(crate) fn want_country(&self) -> bool {
        match self {
            WalletSettings::ApplePay(_) => true,
            WalletSettings::GooglePay(own) => !own.delayed_session_token,
            WalletSettings::SamsungPay(_)
            | WalletSettings::Paypal(_)
            | WalletSettings::AmazonPay(_)
            | WalletSettings::Paze(_)
            | WalletSettings::ClickToPay(_)
            | WalletSettings::Opened => false,
        }
    }

    /// Those of a wallet: the account's sealed ones, else those in `metadata`, else what the processor is tried out with.
    /// Unreadable ones are as good as none: `metadata` is the merchant's own, and is not judged when it is written.
    pub(crate) fn of(
        wallet: Wallet,
        account: &ConnectorAccount,
        metadata: &Map<String, Value>,
        tried_with: Option<&Map<String, Value>>,
    ) -> Option<Self> {
        let details =
            notes::find(&account.secrets.notes.0, WALLETS_DETAILS).and_then(Value::as_object);
        let places = details.into_iter().chain([metadata]).chain(tried_with);
        let (own, _) = members(wallet);
        places
            .flat_map(|place| own.iter().map(move |member| (*member, place.get(*member))))
            .filter_map(|(member, value)| Some((member, value.filter(|value| !value.is_null())?)))
            .find_map(|(member, value)| read(wallet, member, value))
    }
}

/// Nothing where they can't be read, or no button can be shown with them.
fn read(wallet: Wallet, member: &str, value: &Value) -> Option<WalletSettings> {
    let value = inside(member, value)?;
    match wallet {
        Wallet::ApplePay => of::<ApplePaySettings>(value)
            .filter(|settings| settings.are_whole())
            .map(|settings| WalletSettings::ApplePay(Box::new(settings))),
        Wallet::GooglePay => of::<GooglePaySettings>(value)
            .filter(GooglePaySettings::are_whole)
            .map(|settings| WalletSettings::GooglePay(Box::new(settings))),
        Wallet::SamsungPay => of(value).map(|own| WalletSettings::SamsungPay(Box::new(own))),
        Wallet::Paypal => of(value).map(WalletSettings::Paypal),
        Wallet::AmazonPay => of(value).map(|own| WalletSettings::AmazonPay(Box::new(own))),
        Wallet::Paze => of(value).map(WalletSettings::Paze),
        Wallet::ClickToPay => of(value).map(|own| WalletSettings::ClickToPay(Box::new(own))),
        Wallet::Klarna | Wallet::OpenBanking => None,
    }
}

fn of<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}
