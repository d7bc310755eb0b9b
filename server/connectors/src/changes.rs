//! Changes of a payment, as processors list them: captures, voids and refunds. The list answers
//! look-ups of our changes, and shows those of others.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::ProcessorKey;
use multirail_sdk::connector::{
    About, Approval, Decline, Finding, LookUpRequest, News, OperationKind, Outcome, PaymentAt,
    Units,
};

use crate::outcome::absent;

/// A change in the list.
pub struct Change {
    pub kind: OperationKind,
    /// The processor's id.
    pub id: String,
    /// The reference from the request.
    pub reference: Option<String>,
    /// In the processor's units.
    pub amount: Option<i64>,
    pub state: State,
}

/// The state of a change.
pub enum State {
    Open,
    Done,
    Declined(Decline),
}

/// The form of amounts and keys at a processor.
pub struct Form {
    pub units: Units,
    /// Returns our key as a reference.
    pub reference_of: fn(&ProcessorKey) -> &str,
}

impl Form {
    fn names(&self, key: &ProcessorKey, change: &Change) -> bool {
        change.reference.as_deref() == Some((self.reference_of)(key))
    }

    /// Checks whether a change is the requested one. A void of a payment that was captured at once
    /// may be a refund at the processor.
    fn is(&self, sought: &LookUpRequest, change: &Change) -> bool {
        let is_void_by_refund =
            sought.kind == OperationKind::Void && change.kind == OperationKind::Refund;
        let is_named = sought.reference.as_ref() == Some(&change.id);
        (change.kind == sought.kind || is_void_by_refund)
            && (is_named || self.names(&sought.key, change))
    }

    /// Returns the approval of a change, or `None` if its amount can't be read. Voids have none.
    fn approval(
        &self,
        kind: OperationKind,
        change: &Change,
        currency: Currency,
    ) -> Option<Approval> {
        let amount = change.amount.filter(|_| kind != OperationKind::Void);
        let amount_minor = match amount {
            Some(amount) => Some(self.units.from_processor(amount, currency)?),
            None => None,
        };
        Some(Approval {
            reference: Some(change.id.clone()),
            amount_minor,
            ..Approval::default()
        })
    }

    /// Returns the outcome of a change, or `None` if it can't be read. An accepted change that isn't
    /// listed is still to be processed.
    pub fn find(&self, sought: &LookUpRequest, listed: &[Change]) -> Option<Finding> {
        let own: Vec<&Change> = listed.iter().filter(|one| self.is(sought, one)).collect();
        // A void may be a void and a refund: it is done when both are.
        let open = own.iter().find(|one| matches!(one.state, State::Open));
        let declined = || {
            own.iter()
                .find(|one| matches!(one.state, State::Declined(_)))
        };
        let pending = |reference: &str| Outcome::Pending {
            reference: Some(reference.to_owned()),
        };
        let deciding = open.or_else(declined).or(own.first());
        let outcome = match (deciding, &sought.reference) {
            (Some(change), _) => match &change.state {
                State::Open => pending(&change.id),
                State::Done => {
                    Outcome::Done(self.approval(sought.kind, change, sought.money.currency)?)
                }
                State::Declined(decline) => Outcome::Declined(decline.clone()),
            },
            (None, Some(reference)) => pending(reference),
            (None, None) => {
                let kind = sought.kind;
                return Some(absent(format!(
                    "the payment has no {kind} with this reference"
                )));
            }
        };
        Some(Finding::Outcome(outcome))
    }

    /// Returns the changes of a payment that others requested.
    pub fn by_others(&self, payment: &PaymentAt, listed: &[Change]) -> Vec<News> {
        let is_ours = |change: &Change| {
            let mut keys = payment.own_keys.iter();
            keys.any(|key| self.names(key, change))
        };
        let news = |change: &Change| {
            let amount = self
                .units
                .from_processor(change.amount?, payment.currency)?;
            let reference = Some(change.id.clone());
            Some(News::Outcome {
                about: About {
                    reference: reference.clone(),
                    ..About::change(change.kind, &payment.authorization_reference)
                },
                outcome: Outcome::Done(Approval {
                    reference,
                    amount_minor: Some(amount),
                    ..Approval::default()
                }),
            })
        };
        let done = listed.iter().filter(|one| matches!(one.state, State::Done));
        done.filter(|one| !is_ours(one)).filter_map(news).collect()
    }
}
