//! An account's wallet settings: members of `connector_wallets_details`, which are sealed, or of `metadata`.

use multirail_kernel::notes;
use multirail_kernel::refusal::Refusal;
use multirail_sdk::wallet::Wallet;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::accounts::connector_account::{ConnectorAccount, SecretNotes, WALLETS_DETAILS};
use crate::payments::session::apple_pay::ApplePaySettings;
use crate::payments::session::google_pay::GooglePaySettings;
use crate::payments::session::opening::WalletKey;
use crate::payments::session::others::{
    AmazonPaySettings, ClickToPaySettings, PaypalSettings, PazeSettings, SamsungPaySettings,
};
use crate::payments::session::places::{inside, members};

/// The settings that one wallet's button needs.
#[derive(Clone, Debug, PartialEq)]
pub enum WalletSettings {
    ApplePay(Box<ApplePaySettings>),
    GooglePay(Box<GooglePaySettings>),
    SamsungPay(Box<SamsungPaySettings>),
    Paypal(PaypalSettings),
    AmazonPay(Box<AmazonPaySettings>),
    Paze(PazeSettings),
    ClickToPay(Box<ClickToPaySettings>),
    /// The processor opens a session and needs no settings of the account.
    Opened,
}

/// Checks a caller's `connector_wallets_details`.
///
/// # Errors
/// [`Refusal::InvalidFormat`], which names a wallet that has no settings there or whose settings can't be read.
pub fn check_wallet_details(sealed: &SecretNotes) -> Result<(), Refusal> {
    let details = notes::find(&sealed.0, WALLETS_DETAILS).and_then(Value::as_object);
    for (member, value) in details.into_iter().flatten() {
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
    /// Returns whether the wallet needs the merchant's country. A processor's own SDK asks Google itself.
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

    /// Returns a wallet's settings: the account's sealed ones, or else those in `metadata`, or else the processor's test
    /// settings. Unreadable settings count as absent: `metadata` isn't checked when it is written.
    pub(crate) fn find(
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

/// Reads settings. `None` if they can't be read, or no button can be shown with them.
fn read(wallet: Wallet, member: &str, value: &Value) -> Option<WalletSettings> {
    let value = inside(member, value)?;
    match wallet {
        Wallet::ApplePay => parse::<ApplePaySettings>(value)
            .filter(|settings| settings.are_whole())
            .map(|settings| WalletSettings::ApplePay(Box::new(settings))),
        Wallet::GooglePay => parse::<GooglePaySettings>(value)
            .filter(GooglePaySettings::are_whole)
            .map(|settings| WalletSettings::GooglePay(Box::new(settings))),
        Wallet::SamsungPay => parse(value).map(|own| WalletSettings::SamsungPay(Box::new(own))),
        Wallet::Paypal => parse(value).map(WalletSettings::Paypal),
        Wallet::AmazonPay => parse(value).map(|own| WalletSettings::AmazonPay(Box::new(own))),
        Wallet::Paze => parse(value).map(WalletSettings::Paze),
        Wallet::ClickToPay => parse(value).map(|own| WalletSettings::ClickToPay(Box::new(own))),
        Wallet::Klarna | Wallet::OpenBanking => None,
    }
}

fn parse<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}
