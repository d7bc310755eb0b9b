//! The choice of wallets for a checkout, and of the accounts that offer them.

use multirail_kernel::country::CountryCode;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::card::Network;
use multirail_sdk::connector::Access;
use multirail_sdk::payment_method::{PaymentExperience, PaymentMethodType};
use multirail_sdk::wallet::Wallet;
use serde_json::{Map, Value};

use crate::accounts::connector_account::{
    Candidate, ConnectorAccount, PaymentMethodEnabled, PaymentQuery,
};
use crate::accounts::profile::Profile;
use crate::payments::payment::{OfferedThrough, Payment};
use crate::payments::session::apple_pay::{AppleSession, AppleSessionData, MerchantValidation};
use crate::payments::session::collect::Collect;
use crate::payments::session::next_action::{SdkNextAction, SdkSecrets};
use crate::payments::session::settings::WalletSettings;
use crate::payments::session::token::SessionToken;
use crate::routing::{Facts, RoutingInput, RoutingRecord, RoutingStrategy};

/// Settings of a caller that replace the `metadata` of accounts.
#[derive(Clone, Debug, PartialEq)]
pub struct BroughtSettings(pub Map<String, Value>);

/// The input of a checkout.
#[derive(Clone, Copy, Debug)]
pub struct Checkout<'a> {
    pub payment: &'a Payment,
    pub profile: &'a Profile,
    /// The accounts of the payment's profile, in its fallback order.
    pub candidates: &'a [Candidate],
    /// The profile's active routing configuration.
    pub active: Option<&'a RoutingRecord>,
    /// The rules that order the accounts.
    pub routing: &'a dyn RoutingStrategy,
    /// The wallets that the checkout can show.
    pub wanted: &'a [Wallet],
    /// Settings of the caller that replace the accounts' own.
    pub brought: Option<&'a BroughtSettings>,
    /// The random number for volume splits.
    pub draw: u32,
}

/// One wallet, and the account that offers it.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    pub wallet: Wallet,
    pub candidate: &'a Candidate,
    settings: WalletSettings,
    /// The merchant's country, if known.
    country: Option<CountryCode>,
    /// For Click to Pay, the brands that the account accepts.
    brands: Vec<Network>,
}

/// The party that has to be asked before the session starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Nobody,
    Apple(Box<MerchantValidation>),
    /// The account's processor, which opens a session.
    Processor,
}

impl<'a> Checkout<'a> {
    /// Returns the facts by which routing orders the accounts.
    pub fn facts(&self) -> Facts<'a> {
        self.payment
            .facts_under(self.profile, self.payment.instrument())
    }
}

impl Offer<'_> {
    /// Returns the offer's record for the payment.
    pub fn through(&self) -> OfferedThrough {
        OfferedThrough {
            wallet: self.wallet,
            merchant_connector_id: self.candidate.account.merchant_connector_id.clone(),
            unread: UnreadMembers::default(),
        }
    }
}

/// The answer of that party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Nothing,
    Apple(Box<AppleSession>),
    Processor {
        /// The processor's id of the session.
        id: String,
        token: String,
    },
}

/// Returns the wallets that can pay the payment. Each has the account that offered it before, or else the first account by
/// routing that offers it.
pub fn offers<'a>(checkout: &Checkout<'a>) -> Vec<Offer<'a>> {
    let facts = checkout.facts();
    let input = RoutingInput {
        candidates: checkout.candidates,
        active: checkout.active,
        // Nothing is learned about the wallets that a payer chooses from.
        dynamic: None,
        connectors: &[],
        draw: checkout.draw,
    };
    let order = checkout.routing.arrange(&facts, input);
    let wanted = checkout.wanted.iter();
    wanted
        .filter_map(|wallet| {
            let through = checkout.payment.offered_through(*wallet);
            let mut accounts = order.clone();
            accounts.sort_by_key(|one| Some(&one.account.merchant_connector_id) != through);
            let mut accounts = accounts.into_iter();
            accounts.find_map(|candidate| offer(checkout, *wallet, candidate))
        })
        .collect()
}

fn offer<'a>(
    checkout: &Checkout<'a>,
    wallet: Wallet,
    candidate: &'a Candidate,
) -> Option<Offer<'a>> {
    let account = &*candidate.account;
    if !account.is_routable() || !can_pay(checkout, wallet, candidate) {
        return None;
    }
    let abilities = &candidate.capabilities.wallets;
    let query = query(checkout, wallet);
    let is_listed = enables(account, checkout.payment, wallet, &query)?;
    let tried_with = abilities.tried_with.filter(|_| is_listed);
    let tried_with = tried_with.and_then(|text| serde_json::from_str(text).ok());
    let Access { metadata, .. } = account.access();
    let metadata = checkout.brought.map_or(&metadata, |brought| &brought.0);
    let settings = match wallet {
        Wallet::Klarna | Wallet::OpenBanking => {
            (is_listed && abilities.opens(wallet)).then_some(WalletSettings::Opened)
        }
        Wallet::ClickToPay if !checkout.profile.switch("is_click_to_pay_enabled") => None,
        Wallet::ApplePay
        | Wallet::GooglePay
        | Wallet::SamsungPay
        | Wallet::Paypal
        | Wallet::AmazonPay
        | Wallet::Paze
        | Wallet::ClickToPay => {
            WalletSettings::find(wallet, account, metadata, tried_with.as_ref())
        }
    }?;
    let country = country(&settings, account, checkout);
    if country.is_none() && settings.want_country() {
        return None;
    }
    let brands = match &settings {
        WalletSettings::ClickToPay(own) => taken(account, &own.card_brands, query),
        // Only the processor can start its own SDK.
        WalletSettings::ApplePay(own) if own.delayed_session_token => {
            abilities.opens(wallet).then(Vec::new)?
        }
        WalletSettings::ApplePay(_)
        | WalletSettings::GooglePay(_)
        | WalletSettings::SamsungPay(_)
        | WalletSettings::Paypal(_)
        | WalletSettings::AmazonPay(_)
        | WalletSettings::Paze(_)
        | WalletSettings::Opened => Vec::new(),
    };
    if wallet == Wallet::ClickToPay && brands.is_empty() {
        return None;
    }
    Some(Offer {
        wallet,
        candidate,
        settings,
        country,
        brands,
    })
}

/// Returns whether a confirm with the wallet's token could use the account. Wallets without a token for this server are for
/// merchants that process the payment elsewhere.
fn can_pay(checkout: &Checkout<'_>, wallet: Wallet, candidate: &Candidate) -> bool {
    let payment = checkout.payment;
    let mut varieties = varieties(payment, wallet);
    if !wallet.is_handed_over() {
        return varieties.next().is_some();
    }
    varieties.any(|variety| candidate.takes_type(wallet.payment_method(), variety))
        && checkout
            .routing
            .lacks(&payment.facts_under(checkout.profile, None), candidate)
            .is_none()
}

/// Returns the wallet's payment method types that the payment allows.
fn varieties(payment: &Payment, wallet: Wallet) -> impl Iterator<Item = PaymentMethodType> {
    let own = wallet.payment_method_types().iter().copied();
    own.filter(|variety| payment.allows(*variety))
}

/// Returns the payment as routing would see it with this wallet.
fn query(checkout: &Checkout<'_>, wallet: Wallet) -> PaymentQuery {
    let payment = checkout.payment;
    PaymentQuery {
        payment_method: wallet.payment_method(),
        payment_method_type: None,
        card_network: None,
        currency: payment.terms.currency,
        country: checkout.facts().payer_country(),
        amount: payment.terms.total(),
        recurs: payment.recurs(),
    }
}

/// Returns how the account accepts the wallet: `Some(true)` by its list, `Some(false)` if there is no list and its settings
/// decide. `None` if it doesn't accept the wallet.
fn enables(
    account: &ConnectorAccount,
    payment: &Payment,
    wallet: Wallet,
    query: &PaymentQuery,
) -> Option<bool> {
    let Some(items) = &account.payment_methods_enabled else {
        return Some(false);
    };
    let invokes = |item: &PaymentMethodEnabled| match item.payment_experience {
        None | Some(PaymentExperience::InvokeSdkClient) => true,
        Some(
            PaymentExperience::RedirectToUrl
            | PaymentExperience::DisplayQrCode
            | PaymentExperience::OneClick
            | PaymentExperience::LinkWallet
            | PaymentExperience::InvokePaymentApp
            | PaymentExperience::DisplayWaitScreen
            | PaymentExperience::CollectOtp,
        ) => false,
    };
    let is_card = wallet == Wallet::ClickToPay;
    let mut letting = items.iter().filter(|item| is_card || invokes(item));
    let lets_in = letting.any(|item| {
        // The networks are checked for each brand separately.
        let item_of_any_network = PaymentMethodEnabled {
            payment_schemes: Vec::new(),
            ..item.clone()
        };
        varieties(payment, wallet).any(|variety| {
            let query = PaymentQuery {
                payment_method_type: Some(variety),
                ..*query
            };
            item_of_any_network.check(&query).is_ok()
        })
    });
    lets_in.then_some(true)
}

/// Returns the brands whose cards the account accepts.
fn taken(account: &ConnectorAccount, brands: &[Network], query: PaymentQuery) -> Vec<Network> {
    let takes = |brand: &Network| {
        account.accepts(&PaymentQuery {
            card_network: Some(*brand),
            ..query
        })
    };
    brands.iter().copied().filter(takes).collect()
}

impl Offer<'_> {
    /// Returns the account, with the caller's settings.
    pub fn account(&self) -> &ConnectorAccount {
        &self.candidate.account
    }

    /// Returns the party that has to be asked first.
    pub fn ask(&self) -> Ask {
        match &self.settings {
            WalletSettings::Opened => Ask::Processor,
            WalletSettings::ApplePay(own) if own.delayed_session_token => Ask::Processor,
            WalletSettings::ApplePay(own) => match own.validation() {
                Some(validation) => Ask::Apple(Box::new(validation)),
                None => Ask::Nobody,
            },
            WalletSettings::GooglePay(_)
            | WalletSettings::SamsungPay(_)
            | WalletSettings::Paypal(_)
            | WalletSettings::AmazonPay(_)
            | WalletSettings::Paze(_)
            | WalletSettings::ClickToPay(_) => Ask::Nobody,
        }
    }

    /// Builds the session from the answer; `None` if the answer doesn't belong to the request.
    pub fn token(&self, checkout: &Checkout<'_>, answer: Answer) -> Option<SessionToken> {
        let payment = checkout.payment;
        let country = self.country;
        let account = self.account();
        let connector = account.connector_name.as_str();
        let collect = Collect::for_checkout(checkout);
        let total = payment.terms.total_money();
        let contact = payment.payer.contact();
        Some(match (&self.settings, answer) {
            (WalletSettings::GooglePay(own), Answer::Nothing) if own.delayed_session_token => {
                SessionToken::GooglePayOfProcessor {
                    connector: connector.to_owned(),
                }
            }
            (WalletSettings::GooglePay(own), Answer::Nothing) => {
                let token = own.token(collect, country?, total, connector)?;
                SessionToken::GooglePay(Box::new(token))
            }
            (WalletSettings::ApplePay(own), Answer::Processor { id, token }) => {
                let secrets = SdkSecrets {
                    display: token,
                    payment: id.clone(),
                };
                let session = Some(AppleSessionData::Secrets(secrets));
                let token = own.token(collect, country?, total, connector, session, Some(id));
                SessionToken::ApplePay(Box::new(token))
            }
            (WalletSettings::ApplePay(own), Answer::Apple(session)) => {
                let session = Some(AppleSessionData::Session(session));
                let token = own.token(collect, country?, total, connector, session, None);
                SessionToken::ApplePay(Box::new(token))
            }
            (WalletSettings::ApplePay(own), Answer::Nothing) => {
                let token = own.token(collect, country?, total, connector, None, None);
                SessionToken::ApplePay(Box::new(token))
            }
            (WalletSettings::SamsungPay(own), Answer::Nothing) => SessionToken::SamsungPay(
                Box::new(own.token(payment.payment_id.as_str(), collect, total)),
            ),
            (WalletSettings::Paypal(own), Answer::Nothing) => SessionToken::Paypal {
                connector: connector.to_owned(),
                session_token: own.client_id.clone(),
                sdk_next_action: SdkNextAction::POST_SESSION_TOKENS,
            },
            (WalletSettings::AmazonPay(own), Answer::Nothing) => {
                SessionToken::AmazonPay(Box::new(own.token(&payment.terms)))
            }
            (WalletSettings::Paze(own), Answer::Nothing) => {
                SessionToken::Paze(Box::new(crate::payments::session::others::PazeToken {
                    client: own.clone(),
                    total,
                    email: contact.email.map(str::to_owned),
                }))
            }
            (WalletSettings::ClickToPay(own), Answer::Nothing) => {
                SessionToken::ClickToPay(Box::new(own.token(self.brands.clone(), contact, total)))
            }
            (WalletSettings::Opened, Answer::Processor { id, token }) => match self.wallet {
                Wallet::Klarna => SessionToken::Klarna {
                    session_token: token,
                    session_id: id,
                },
                Wallet::OpenBanking => SessionToken::OpenBanking {
                    session_token: token,
                },
                Wallet::ApplePay
                | Wallet::GooglePay
                | Wallet::SamsungPay
                | Wallet::Paypal
                | Wallet::AmazonPay
                | Wallet::Paze
                | Wallet::ClickToPay => return None,
            },
            (_, Answer::Nothing | Answer::Apple(_) | Answer::Processor { .. }) => return None,
        })
    }
}

/// Returns the merchant's country: from the wallet's settings, or else the account, the profile, or the payer's billing
/// address.
fn country(
    settings: &WalletSettings,
    account: &ConnectorAccount,
    checkout: &Checkout<'_>,
) -> Option<CountryCode> {
    let own = match settings {
        WalletSettings::ApplePay(own) => own.country(),
        WalletSettings::GooglePay(own) => own.country_code,
        WalletSettings::SamsungPay(_)
        | WalletSettings::Paypal(_)
        | WalletSettings::AmazonPay(_)
        | WalletSettings::Paze(_)
        | WalletSettings::ClickToPay(_)
        | WalletSettings::Opened => None,
    };
    let of_profile = checkout.profile.notes.get("merchant_business_country");
    let of_profile = of_profile.and_then(Value::as_str);
    own.or(account.business_country)
        .or_else(|| of_profile.and_then(|code| code.parse().ok()))
        .or_else(|| checkout.facts().payer_country())
}
