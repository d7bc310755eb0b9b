//! The two addresses of ours that a payer's browser visits without a key.
//!
//! Each ends in a token of its attempt, derived from a key of ours. It isn't stored, and is checked before anything is
//! looked up. So neither the answer nor its time shows whether a guessed payment exists.

use multirail_domain::payments::payment::{Attempt, Payment};
use multirail_kernel::ids::{AttemptId, MerchantId, PaymentId};
use subtle::ConstantTimeEq;

use super::Payments;

/// The prefix of a token, so that log lines can mask it.
pub const TOKEN_PREFIX: &str = "visit_";

/// One of the two pages. A token opens only its own page: the processor learns only the second address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayerPage<'a> {
    /// The page that sends the payer to the processor's page.
    ToProcessor,
    /// The page to which the processor sends the payer back.
    BackFrom { connector: &'a str },
}

/// The parts of a visit's path, as they came.
#[derive(Clone, Copy, Debug)]
pub struct Visited<'a> {
    pub page: PayerPage<'a>,
    pub merchant_id: &'a str,
    pub payment_id: &'a str,
    pub attempt_id: &'a str,
    pub token: &'a str,
}

/// A visit with a valid address of this attempt. Only [`Payments::admit_payer`] makes one.
#[derive(Clone, Debug)]
pub struct PayerVisit {
    merchant_id: MerchantId,
    attempt_id: AttemptId,
}

impl PayerVisit {
    pub fn merchant_id(&self) -> &MerchantId {
        &self.merchant_id
    }

    pub fn payment_id(&self) -> &PaymentId {
        self.attempt_id.payment_id()
    }

    /// Returns the number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt_id.number()
    }
}

impl Payments {
    /// Returns the address to which the payer's client sends the payer.
    pub(super) fn to_processor_address(&self, payment: &Payment, attempt: &Attempt) -> String {
        let attempt_id = payment.attempt_id(attempt.number);
        let token = self.visit_token(PayerPage::ToProcessor, &payment.merchant_id, &attempt_id);
        format!(
            "{}/payments/redirect/{}/{}/{attempt_id}/{token}",
            self.public_url, payment.payment_id, payment.merchant_id,
        )
    }

    /// Returns the address to which the processor sends the payer back.
    pub(super) fn payer_return_address(&self, payment: &Payment, attempt: &Attempt) -> String {
        let connector = attempt.connector.as_deref().unwrap_or_default();
        let attempt_id = payment.attempt_id(attempt.number);
        let page = PayerPage::BackFrom { connector };
        let token = self.visit_token(page, &payment.merchant_id, &attempt_id);
        format!(
            "{}/payments/{}/{}/redirect/response/{connector}/{attempt_id}/{token}",
            self.public_url, payment.payment_id, payment.merchant_id,
        )
    }

    /// Returns a visit if the whole address is valid, without looking anything up.
    pub fn admit_payer(&self, visited: Visited<'_>) -> Option<PayerVisit> {
        let merchant_id = MerchantId::parse(visited.merchant_id).ok()?;
        let attempt_id = AttemptId::parse(visited.attempt_id).ok()?;
        if attempt_id.payment_id().as_str() != visited.payment_id {
            return None;
        }
        let ours = self.visit_token(visited.page, &merchant_id, &attempt_id);
        let same: bool = ours.as_bytes().ct_eq(visited.token.as_bytes()).into();
        same.then_some(PayerVisit {
            merchant_id,
            attempt_id,
        })
    }

    fn visit_token(
        &self,
        page: PayerPage<'_>,
        merchant_id: &MerchantId,
        attempt_id: &AttemptId,
    ) -> String {
        let (word, connector) = match page {
            PayerPage::ToProcessor => ("to_processor", ""),
            PayerPage::BackFrom { connector } => ("back_from_processor", connector),
        };
        let attempt_id = attempt_id.to_string();
        let about = [word, connector, merchant_id.as_str(), &attempt_id];
        format!(
            "{TOKEN_PREFIX}{}",
            self.base.seal.visit_token(&about).expose()
        )
    }
}
