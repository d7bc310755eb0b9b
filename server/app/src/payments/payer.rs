//! The payer's way: to the processor's page, and back to the merchant's `return_url`.

use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::{Command, Input, Payment, PaymentStatus, transition};
use multirail_kernel::context::Context;
use multirail_kernel::money::Money;
use multirail_kernel::refusal::Object;
use url::Url;

use super::super::{AppError, Origin};
use super::Payments;
use super::calls::{CallInputs, Returned};
use super::payer_address::PayerVisit;
use crate::operations::questions::{About, Asker};
use crate::platform::ports::Actor;

/// The longest query that is read, in bytes.
const LONGEST_QUERY: usize = 8_192;

/// The destination of a returning payer.
#[derive(Debug)]
pub enum Destination {
    /// Redirect to this address.
    Redirect(String),
    /// Redirect to this address, by a form that posts the pairs.
    Post {
        url: String,
        pairs: Vec<(String, String)>,
    },
    /// Stay on our page, which shows the standing: there is no `return_url`, or the payer may not learn about later
    /// attempts.
    Stay(Standing),
}

/// The destination of a payer on the way to the processor.
#[derive(Debug)]
pub enum ToProcessor {
    /// Go to the processor's page.
    Go(String),
    /// Stay on our page, which shows the standing: the attempt doesn't wait for the payer.
    Stay(Standing),
}

/// The state of a payer's attempt, as the payer may read it.
#[derive(Debug)]
pub struct Standing {
    pub outcome: PayerOutcome,
    /// The approved amount, else the requested one.
    pub money: Option<Money>,
    /// The rest of a transfer of which a part has arrived.
    pub missing: Option<Money>,
    /// The merchant account's name.
    pub shop: Option<String>,
}

/// The outcome of an attempt for its payer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PayerOutcome {
    /// The payer has nothing left to do.
    Approved,
    Failed,
    /// Undecided or unknown.
    Processing,
    Cancelled,
    Expired,
    /// The payer still has to approve, starting at this address.
    WaitsForPayer {
        address: String,
    },
    /// Another attempt began since, perhaps with another person's card: the payer learns nothing of it.
    Superseded,
    /// The processor got no request.
    NotBegun,
}

impl Payments {
    /// Returns the processor's page for the visitor's attempt, or the attempt's state.
    ///
    /// # Errors
    /// A payment that is gone, or a store that fails.
    pub async fn to_processor(&self, visit: &PayerVisit) -> Result<ToProcessor, AppError> {
        let payment = self.load(visit.merchant_id(), visit.payment_id()).await?;
        let active = payment.active();
        match active.payers_page() {
            Some(url) if active.number == visit.attempt() => Ok(ToProcessor::Go(url.to_owned())),
            Some(_) | None => Ok(ToProcessor::Stay(self.standing(&payment, visit).await?)),
        }
    }

    /// Asks the processor for the outcome after a payer came back, and returns where to send the payer.
    ///
    /// Payers may come as often as they like, and may share the address. While one visit's question is open, and
    /// shortly after, visitors without a query get the stored state, and others wait. `query` is the processor's own
    /// query: some processors report the outcome only to callers who repeat it.
    ///
    /// # Errors
    ///
    /// A payment that is gone, or a store that fails.
    pub async fn payer_returned(
        &self,
        request_id: String,
        visit: &PayerVisit,
        query: Option<&str>,
    ) -> Result<Destination, AppError> {
        let origin = Origin::of_request(Actor::Payer, request_id, None);
        let (merchant_id, payment_id) = (visit.merchant_id(), visit.payment_id());
        let about = About::new(Object::Payment, merchant_id, payment_id.as_str());
        let returned = returned(visit, query);
        let asker = match &returned {
            Some(_) => Asker::Bringer,
            None => Asker::Visitor {
                attempt: visit.attempt(),
            },
        };
        let payment = match self.questions.turn(about, asker).await {
            Some(_question) => {
                if let Some(returned) = &returned {
                    self.note_return(&origin, visit, returned).await?;
                }
                let inputs = CallInputs {
                    returned,
                    ..CallInputs::default()
                };
                self.driver
                    .sync_with(self, &origin, merchant_id, payment_id, inputs)
                    .await?
            }
            None => self.load(merchant_id, payment_id).await?,
        };
        if payment.active().number != visit.attempt() {
            return Ok(Destination::Stay(self.standing(&payment, visit).await?));
        }
        let profile = self.profile_of(&payment).await?;
        match self.way_back(&payment, &profile) {
            Some(destination) if !payment.has_link() || self.skips_link(&payment, &profile) => {
                Ok(destination)
            }
            Some(_) | None if payment.has_link() => {
                Ok(Destination::Redirect(self.link(&payment).address))
            }
            Some(_) | None => Ok(Destination::Stay(self.standing(&payment, visit).await?)),
        }
    }

    /// Stores the query with which a payer came back before the processor is asked with it, since the payer brings it
    /// only once.
    async fn note_return(
        &self,
        origin: &Origin,
        visit: &PayerVisit,
        returned: &Returned,
    ) -> Result<(), AppError> {
        let (merchant_id, payment_id) = (visit.merchant_id(), visit.payment_id());
        let payment = self.load(merchant_id, payment_id).await?;
        let connector = payment.active().connector.as_deref();
        let description = connector.and_then(|name| self.processors.connectors.describe(name));
        if description.is_none_or(|one| !one.capabilities.asks_with_return) {
            return Ok(());
        }
        let note = |payment: &Payment, context: &Context| {
            let note = Command::NoteReturn {
                attempt: returned.attempt,
                query: returned.query.clone(),
            };
            transition(payment, Input::Command(note), context)
        };
        let noted = self
            .driver
            .commit_decision(self, origin, merchant_id, payment_id, note);
        noted.await.map(|_| ())
    }

    /// Returns the way to the return address of the payment, else of its profile.
    pub(super) fn way_back(&self, payment: &Payment, profile: &Profile) -> Option<Destination> {
        let target = payment.terms.return_url.as_ref();
        let target = target.or(profile.return_url.as_ref())?;
        let target = Url::parse(target).ok()?;
        Some(self.return_to(target, payment, profile))
    }

    async fn standing(&self, payment: &Payment, visit: &PayerVisit) -> Result<Standing, AppError> {
        let active = payment.active();
        if active.number != visit.attempt() {
            return Ok(Standing {
                outcome: PayerOutcome::Superseded,
                money: None,
                missing: None,
                shop: None,
            });
        }
        let merchant = self.merchants.store.merchant(&payment.merchant_id).await?;
        let amount = active.authorized_amount.unwrap_or(active.amount);
        let money = |amount| Money::new(amount, payment.terms.currency);
        Ok(Standing {
            outcome: self.outcome(payment),
            money: Some(money(amount)),
            missing: active.missing_of_transfer().map(money),
            shop: merchant.and_then(|merchant| merchant.merchant_name.clone()),
        })
    }

    pub(super) fn outcome(&self, payment: &Payment) -> PayerOutcome {
        let acts_at_page = payment.awaits_payer() && payment.active().payers_page().is_some();
        match payment.status {
            PaymentStatus::Succeeded
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing => PayerOutcome::Approved,
            PaymentStatus::Failed => PayerOutcome::Failed,
            // A part of the transfer has arrived, and the payer still has to send the rest.
            PaymentStatus::Processing if acts_at_page => PayerOutcome::WaitsForPayer {
                address: self.to_processor_address(payment, payment.active()),
            },
            // The merchant learns of a conflict, and has to look at it.
            PaymentStatus::Processing
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Conflicted => PayerOutcome::Processing,
            PaymentStatus::Cancelled | PaymentStatus::CancelledPostCapture => {
                PayerOutcome::Cancelled
            }
            PaymentStatus::Expired => PayerOutcome::Expired,
            // The payer acts in an app of their own, to which no address leads.
            PaymentStatus::RequiresCustomerAction
                if payment.active().shown_step.is_some()
                    && payment.active().payers_page().is_none() =>
            {
                PayerOutcome::Processing
            }
            PaymentStatus::RequiresCustomerAction => PayerOutcome::WaitsForPayer {
                address: self.to_processor_address(payment, payment.active()),
            },
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
                PayerOutcome::NotBegun
            }
        }
    }

    fn return_to(&self, mut target: Url, payment: &Payment, profile: &Profile) -> Destination {
        let secret = self.client_secret(&payment.merchant_id, &payment.payment_id);
        // A form can't be posted to an app.
        let by_post = profile.redirect_to_merchant_with_http_post
            && matches!(target.scheme(), "http" | "https");
        let mut pairs = vec![
            ("status".to_owned(), payment.status.to_string()),
            ("payment_id".to_owned(), payment.payment_id.to_string()),
            (
                "payment_intent_client_secret".to_owned(),
                secret.expose().to_owned(),
            ),
        ];
        if !by_post {
            pairs.push(("amount".to_owned(), payment.terms.amount.to_string()));
        }
        if let Some(allowed) = payment.manual_retry_allowed() {
            pairs.push(("manual_retry_allowed".to_owned(), allowed.to_string()));
        }
        if profile.enable_payment_response_hash
            && let Some(signature) = profile.secrets.signature_512(signed(&pairs).as_bytes())
        {
            pairs.push(("signature".to_owned(), signature));
            pairs.push(("signature_algorithm".to_owned(), "HMAC-SHA512".to_owned()));
        }
        if by_post {
            return Destination::Post {
                url: target.to_string(),
                pairs,
            };
        }
        target.query_pairs_mut().extend_pairs(&pairs);
        Destination::Redirect(target.to_string())
    }
}

/// Returns the visitor's query; `None` where it is empty, or longer than any processor's.
fn returned(visit: &PayerVisit, query: Option<&str>) -> Option<Returned> {
    let query = query.filter(|query| !query.is_empty() && query.len() <= LONGEST_QUERY)?;
    Some(Returned {
        attempt: visit.attempt(),
        query: query.to_owned(),
    })
}

/// Returns the signed text of the pairs: `name=value` of each, sorted and joined with `&`.
fn signed(pairs: &[(String, String)]) -> String {
    let mut sorted: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    sorted.sort();
    sorted.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_signed_does_not_depend_on_the_order_of_the_pairs() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let one = [pair("status", "succeeded"), pair("payment_id", "pay_1")];
        let other = [pair("payment_id", "pay_1"), pair("status", "succeeded")];
        assert_eq!(signed(&one), "payment_id=pay_1&status=succeeded");
        assert_eq!(signed(&one), signed(&other));
    }
}
