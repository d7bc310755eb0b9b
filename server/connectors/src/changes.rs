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

#[cfg(test)]
mod tests {
    use multirail_kernel::money::Money;
    use multirail_kernel::timestamp::Timestamp;
    use multirail_sdk::connector::Access;

    use super::*;
    use crate::fixture::finding_in_short;

    const FORM: Form = Form {
        units: Units::ISO,
        reference_of: ProcessorKey::as_str,
    };

    fn key() -> ProcessorKey {
        ProcessorKey::parse("mrk_1").expect("a key")
    }

    fn change(kind: OperationKind, id: &str, reference: &str, state: State) -> Change {
        Change {
            kind,
            id: id.to_owned(),
            reference: Some(reference.to_owned()),
            amount: Some(2000),
            state,
        }
    }

    fn refused() -> State {
        State::Declined(Decline {
            code: "51".to_owned(),
            message: "no".to_owned(),
            ..Decline::default()
        })
    }

    #[test]
    fn a_look_up_finds_the_change_that_was_requested() {
        let (capture, void, refund) = (
            OperationKind::Capture,
            OperationKind::Void,
            OperationKind::Refund,
        );
        let find = |kind, reference: Option<&str>, listed: &[Change]| {
            let sought = LookUpRequest {
                kind,
                key: key(),
                access: Access::default(),
                authorization_key: key(),
                authorization_reference: Some("pay_1".to_owned()),
                reference: reference.map(str::to_owned),
                money: Money::new(2000, Currency::USD),
                started_at: Timestamp::EPOCH,
                returned_with: None,
            };
            let found = FORM.find(&sought, listed).expect("readable");
            finding_in_short(&found)
        };
        let ours = |kind, state| change(kind, "act_2", "mrk_1", state);
        let other = [change(capture, "act_2", "another", State::Done)];
        let given_back = [ours(refund, State::Done)];
        let in_part = [
            change(void, "act_3", "mrk_1", State::Done),
            ours(refund, refused()),
        ];
        let lines = [
            find(capture, None, &[ours(capture, State::Done)]),
            find(capture, Some("act_2"), &other),
            find(capture, None, &other),
            find(capture, None, &given_back),
            find(capture, Some("act_2"), &[]),
            find(capture, None, &[ours(capture, State::Open)]),
            find(capture, None, &[ours(capture, refused())]),
            find(void, None, &given_back),
            find(void, None, &in_part),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        done act_2 2000 - -
        done act_2 2000 - -
        absent: the payment has no capture with this reference
        absent: the payment has no capture with this reference
        pending act_2
        pending act_2
        declined 51 | no | -
        done act_2 - - -
        declined 51 | no | -
        ");
    }
}
