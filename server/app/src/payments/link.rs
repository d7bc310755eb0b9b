//! The hosted payment page: its address and its content.
//!
//! The address ends in a token, derived from a key of ours like those of the other pages (`payer_address`). Without the
//! token nothing is looked up, so guessing ids never reveals the client secret, which the page contains.

use multirail_domain::accounts::profile::Profile;
use multirail_domain::accounts::profile::link_look::LinkConfig;
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::payment::link::{LinkTurn, OtherWay};
use multirail_kernel::ids::{MerchantId, PaymentId};
use multirail_kernel::money::Money;
use multirail_kernel::random::alphanumeric;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::secret::SecretText;
use subtle::ConstantTimeEq;

use super::super::AppError;
use super::Payments;
use super::payer::{Destination, PayerOutcome};
use super::payer_address::TOKEN_PREFIX;

/// Letters and digits of a page's nonce.
const NONCE: usize = 24;

/// The address and the id of a payment's page, for the merchant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub address: String,
    pub id: String,
}

/// A visit to the page with a valid address. Only [`Payments::admit_to_link`] makes one.
#[derive(Clone, Debug)]
pub struct LinkVisit {
    merchant_id: MerchantId,
    payment_id: PaymentId,
}

/// The page that a visitor gets.
#[derive(Debug)]
pub enum LinkPage {
    Shown(Box<LinkView>),
    /// The payer has paid, and the merchant wants them back at once.
    Skipped(Destination),
}

/// The content of the page.
#[derive(Debug)]
pub struct LinkView {
    pub payment: Payment,
    pub config: LinkConfig,
    pub seller: Option<String>,
    /// The whole amount that the payer pays, or has paid.
    pub money: Money,
    pub publishable_key: String,
    pub client_secret: SecretText,
    pub standing: LinkStanding,
    /// The way to another method, while one waits for the payer.
    pub other_way: Option<OtherWay>,
    /// The nonce of this one page; the browser runs only scripts and styles that carry it.
    pub nonce: String,
    /// The way on for the payer, where the page has nothing left to do.
    pub way_back: Option<Destination>,
}

/// The payment's state for the visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkStanding {
    /// The payer may pay.
    Open { was_declined: bool },
    /// The outcome, as on the pages for returning payers.
    Outcome(PayerOutcome),
}

impl Payments {
    /// Returns a payment's page.
    pub(super) fn link(&self, payment: &Payment) -> Link {
        let (merchant_id, payment_id) = (&payment.merchant_id, &payment.payment_id);
        let token = self.link_token("payment_link", merchant_id, payment_id);
        let id = self.link_token("payment_link_id", merchant_id, payment_id);
        Link {
            address: format!(
                "{}/payment_link/{merchant_id}/{payment_id}/{TOKEN_PREFIX}{}",
                self.public_url,
                token.expose()
            ),
            id: format!("plink_{:.20}", id.expose()),
        }
    }

    /// Returns a visit if the whole address is valid, without looking anything up.
    pub fn admit_to_link(
        &self,
        merchant_id: &str,
        payment_id: &str,
        token: &str,
    ) -> Option<LinkVisit> {
        let visit = LinkVisit {
            merchant_id: MerchantId::parse(merchant_id).ok()?,
            payment_id: PaymentId::parse(payment_id).ok()?,
        };
        let ours = self.link_token("payment_link", &visit.merchant_id, &visit.payment_id);
        let given = token.strip_prefix(TOKEN_PREFIX)?;
        let same: bool = ours.expose().as_bytes().ct_eq(given.as_bytes()).into();
        same.then_some(visit)
    }

    fn link_token(
        &self,
        what: &str,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> SecretText {
        let about = [what, merchant_id.as_str(), payment_id.as_str()];
        self.base.seal.visit_token(&about)
    }

    /// Returns the page for a visit.
    ///
    /// # Errors
    /// A payment that is gone or has no page, or a store that fails.
    pub async fn link_page(&self, visit: &LinkVisit) -> Result<LinkPage, AppError> {
        let payment = self.load(&visit.merchant_id, &visit.payment_id).await?;
        if !payment.has_link() {
            return Err(Refusal::not_found(Object::Payment).into());
        }
        let profile = self.profile_of(&payment).await?;
        let merchant = self.merchants.find(&payment.merchant_id).await?;
        let config = link_config(&payment, &profile);
        let standing = self.link_standing(&payment, &profile);
        let way_back = match self.way_back(&payment, &profile) {
            Some(way_back) if goes_straight_on(&config, &standing) => {
                return Ok(LinkPage::Skipped(way_back));
            }
            way_back => way_back,
        };
        let active = payment.active();
        let amount = active.authorized_amount.unwrap_or(active.amount);
        Ok(LinkPage::Shown(Box::new(LinkView {
            seller: config
                .seller_name
                .clone()
                .or_else(|| merchant.merchant_name.clone()),
            money: Money::new(amount, payment.terms.currency),
            publishable_key: merchant.publishable_key.clone(),
            client_secret: self.client_secret(&payment.merchant_id, &payment.payment_id),
            standing,
            other_way: payment.other_way(may_retry(&payment, &profile), self.base.now()),
            nonce: alphanumeric(self.base.random.as_ref(), NONCE),
            way_back,
            config,
            payment,
        })))
    }

    fn link_standing(&self, payment: &Payment, profile: &Profile) -> LinkStanding {
        match payment.link_turn(may_retry(payment, profile), self.base.now()) {
            LinkTurn::First => LinkStanding::Open {
                was_declined: false,
            },
            LinkTurn::Again => LinkStanding::Open { was_declined: true },
            LinkTurn::Late => LinkStanding::Outcome(PayerOutcome::Expired),
            LinkTurn::No => LinkStanding::Outcome(self.outcome(payment)),
        }
    }

    /// Returns whether a payer who comes back from the processor skips the page.
    pub(super) fn skips_link(&self, payment: &Payment, profile: &Profile) -> bool {
        let standing = self.link_standing(payment, profile);
        goes_straight_on(&link_config(payment, profile), &standing)
    }
}

fn may_retry(payment: &Payment, profile: &Profile) -> bool {
    payment.is_manual_retry_enabled(profile.is_manual_retry_enabled)
}

fn goes_straight_on(config: &LinkConfig, standing: &LinkStanding) -> bool {
    config.skip_status_screen == Some(true)
        && *standing == LinkStanding::Outcome(PayerOutcome::Approved)
}

/// Returns the page's look: the payment's settings over those of the profile.
fn link_config(payment: &Payment, profile: &Profile) -> LinkConfig {
    let own = payment.particulars.link_config.as_deref().cloned();
    let under = profile.payment_link_config.as_deref().cloned();
    own.unwrap_or_default().over(under.unwrap_or_default())
}
