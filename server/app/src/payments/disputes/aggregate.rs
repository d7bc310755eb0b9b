//! A dispute as the driver sees it: with its payment, which counts the disputed money.

use std::sync::Arc;

use multirail_domain::operations::operation::{Operation, Progress};
use multirail_domain::operations::received_notice::{Sender, ToldOf};
use multirail_domain::payments::dispute;
use multirail_domain::payments::dispute::{
    Command, Dispute, DisputeAction, DisputeActionKind, Effect, FileBytes, Input, transition,
};
use multirail_domain::payments::payment::Payment;
use multirail_domain::webhooks::webhook::DISPUTE_DETAILS;
use multirail_kernel::context::Context;
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{DisputeId, FileId, MerchantId, ProcessorKey};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::Connector;
use multirail_sdk::connector::{
    About, AcceptDisputeRequest, ChallengeDisputeRequest, EvidenceInFull, Fact, FileInFull,
    FollowUp, Outcome,
};

use super::{DisputeView, Disputes};
use crate::AppError;
use crate::operations::driver::{Aggregate, Due, StepParts};
use crate::operations::ports::open_operations::{OpenObject, UnresolvedOperation};
use crate::operations::processors::{NOBODY_ASKED, unable};
use crate::operations::told::Told;
use crate::operations::unresolved_operation::Unresolved;
use crate::payments::ports::disputes::DISPUTE;
use crate::payments::ports::{DisputeChange, PaymentChange};
use crate::payments::{changes_of_owner, load as load_payment};
use crate::platform::announcer::{Content, Identity};
use crate::platform::idempotency::{Claim, Made};
use crate::platform::ports::{Change, ObjectClass};

/// A dispute and the payment whose money is disputed.
#[derive(Clone, PartialEq)]
pub(crate) struct DisputeOfPayment {
    pub payment: Payment,
    pub dispute: Dispute,
}

/// The result of a transition, with the payment before it.
pub(crate) struct Step {
    pub payment_before: Payment,
    pub decided: dispute::Step,
}

/// A file that a request sends; the request's first commit stores it.
#[derive(Default)]
pub(crate) struct KeptFile(pub Option<(FileId, FileBytes)>);

impl DisputeOfPayment {
    /// Decides on an input.
    pub(crate) fn decide(&self, input: Input, context: &Context) -> Result<Step, Refusal> {
        Ok(Step {
            payment_before: self.payment.clone(),
            decided: transition(&self.payment, &self.dispute, input, context)?,
        })
    }

    pub(crate) fn view(self) -> DisputeView {
        DisputeView::new(self.dispute, &self.payment)
    }
}

impl DisputeOfPayment {
    async fn send(
        &self,
        disputes: &Disputes,
        connector: &dyn Connector,
        action: &DisputeAction,
    ) -> Result<Outcome, AppError> {
        let dispute = disputes.at_processor(&self.dispute).await?;
        let key = action.operation.key.clone();
        let answer = match action.kind {
            DisputeActionKind::Accept => {
                let accepts = connector.able(|able| able.disputes.accepts.map(|(by, _)| by));
                let Some(acceptance) = accepts else {
                    return Ok(unable("accept disputes"));
                };
                acceptance.accept_dispute(AcceptDisputeRequest { key, dispute })
            }
            DisputeActionKind::Challenge => {
                let challenges = connector.able(|able| able.disputes.challenges.map(|(by, _)| by));
                let Some(challenges) = challenges else {
                    return Ok(unable("challenge disputes"));
                };
                let Some(evidence) = self.evidence_in_full(disputes).await? else {
                    return Ok(Outcome::never_happened(
                        "a file of the evidence is no longer kept",
                    ));
                };
                challenges.challenge_dispute(ChallengeDisputeRequest {
                    key,
                    dispute,
                    evidence,
                })
            }
        };
        let (name, call) = (&self.dispute.charge.connector, action.kind.as_str());
        Ok(disputes.processors.in_time(name, call, answer).await)
    }
}

impl DisputeOfPayment {
    /// Returns the evidence with the bytes of its files; `None` where a file is missing.
    async fn evidence_in_full(
        &self,
        disputes: &Disputes,
    ) -> Result<Option<EvidenceInFull>, AppError> {
        let evidence = &self.dispute.evidence;
        let mut files = Vec::with_capacity(evidence.files.len());
        for file in &evidence.files {
            let merchant_id = &self.dispute.merchant_id;
            let bytes = disputes
                .store
                .evidence_file(merchant_id, &file.file_id)
                .await?;
            let Some(bytes) = bytes else {
                return Ok(None);
            };
            files.push(FileInFull {
                item: file.item,
                file_id: file.file_id.clone(),
                file_type: file.file_type,
                bytes: bytes.as_slice().to_vec(),
            });
        }
        Ok(Some(EvidenceInFull {
            texts: evidence.texts.clone(),
            files,
        }))
    }
}

impl Aggregate for DisputeOfPayment {
    type Id = DisputeId;
    type Services = Disputes;
    type Step = Step;
    type Call = ProcessorKey;
    type Inputs = KeptFile;
    const OBJECT: Object = Object::Dispute;
    const CLASS: ObjectClass = DISPUTE;

    fn id(&self) -> &DisputeId {
        &self.dispute.dispute_id
    }

    fn parse_id(text: &str) -> Option<DisputeId> {
        DisputeId::parse(text).ok()
    }

    fn identity(&self) -> Identity<'_> {
        let dispute = &self.dispute;
        Identity {
            merchant_id: &dispute.merchant_id,
            profile_id: &dispute.profile_id,
            object_id: dispute.dispute_id.as_str(),
            customer_id: None,
            version: dispute.version,
            modified_at: dispute.modified_at,
        }
    }

    fn set_version(&mut self, version: i64) {
        self.dispute.version = version;
    }

    async fn load(
        disputes: &Disputes,
        merchant_id: &MerchantId,
        dispute_id: &DisputeId,
    ) -> Result<Self, AppError> {
        let dispute = disputes.find(merchant_id, None, dispute_id).await?;
        let payment = load_payment(&*disputes.payments, merchant_id, &dispute.payment_id).await?;
        Ok(DisputeOfPayment { payment, dispute })
    }

    fn operation(&self, key: &ProcessorKey) -> Option<&Operation> {
        self.dispute.action(key).map(|action| &action.operation)
    }

    fn currency(&self) -> Currency {
        self.dispute.currency
    }

    fn decide_on(&self, fact: Fact, context: &Context) -> Result<Step, Refusal> {
        self.decide(Input::Fact(fact), context)
    }

    fn decide_to_ask(
        &self,
        _about: Option<&ProcessorKey>,
        context: &Context,
    ) -> Result<Step, Refusal> {
        self.decide(Input::Command(Command::Sync), context)
    }

    fn next_question_at(
        &self,
        key: &ProcessorKey,
        now: Timestamp,
        in_flight_seconds: i64,
    ) -> Option<Timestamp> {
        let question = self.dispute.question(now, in_flight_seconds);
        let of_key = question.filter(|question| question.about == key);
        of_key.map(|question| question.due_at)
    }

    fn split_step(
        disputes: &Disputes,
        _before: Option<&Self>,
        step: Step,
        inputs: &mut KeptFile,
    ) -> StepParts<Self> {
        let Step {
            payment_before,
            decided,
        } = step;
        let dispute::Step {
            mut payment,
            dispute,
            effects,
        } = decided;
        let (mut calls, mut announcements, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        if payment != payment_before {
            // The payment is stored with the dispute, so this is its version afterwards.
            payment.version = payment_before.version + 1;
            changes.extend(changes_of_owner(
                &*disputes.owners,
                &payment_before,
                &payment,
                true,
            ));
            let (before, after) = (Arc::new(payment_before), Arc::new(payment.clone()));
            let update = PaymentChange::Update { before, after };
            changes.push(disputes.payments.change(update));
        }
        if let Some((file_id, bytes)) = inputs.0.take() {
            let merchant_id = dispute.merchant_id.clone();
            let keep = DisputeChange::KeepFile {
                merchant_id,
                file_id,
                bytes,
            };
            changes.push(disputes.store.change(keep));
        }
        for effect in effects {
            match effect {
                Effect::DeleteFile(file_id) => {
                    let merchant_id = dispute.merchant_id.clone();
                    let delete = DisputeChange::DeleteFile {
                        merchant_id,
                        file_id,
                    };
                    changes.push(disputes.store.change(delete));
                }
                Effect::Call(key) => calls.push(Due::Do(key)),
                Effect::LookUp(key) => calls.push(Due::Ask(key)),
                Effect::Announce(announcement) => announcements.push(announcement),
            }
        }
        StepParts {
            after: DisputeOfPayment { payment, dispute },
            changes,
            mandates: Vec::new(),
            announcements,
            calls,
        }
    }

    fn change(disputes: &Disputes, before: Option<Arc<Self>>, after: Arc<Self>) -> Change {
        let dispute = |of: &Self| Arc::new(of.dispute.clone());
        let change = match before {
            None => DisputeChange::Insert(dispute(&after)),
            Some(before) => DisputeChange::Update {
                before: dispute(&before),
                after: dispute(&after),
            },
        };
        disputes.store.change(change)
    }

    async fn perform(
        &self,
        disputes: &Disputes,
        key: &ProcessorKey,
        _inputs: &mut KeptFile,
    ) -> Result<Outcome, AppError> {
        let connector = disputes
            .processors
            .connector(&self.dispute.charge.connector)?;
        let action = self.dispute.action(key).ok_or_else(|| {
            AppError::Broken("an action about a dispute is asked for that is gone".to_owned())
        })?;
        self.send(disputes, connector.as_ref(), action).await
    }

    async fn look_up(
        &self,
        disputes: &Disputes,
        key: &ProcessorKey,
        _inputs: &KeptFile,
    ) -> Result<Outcome, AppError> {
        let Some(action) = self.dispute.action(key) else {
            return Ok(NOBODY_ASKED);
        };
        let connector = disputes
            .processors
            .connector(&self.dispute.charge.connector)?;
        let abilities = &connector.description().capabilities.disputes;
        let Some(recovery) = abilities.recovery(action.kind) else {
            return Ok(NOBODY_ASKED);
        };
        match action
            .operation
            .follow_up(recovery, true, disputes.base.now())
        {
            FollowUp::Nothing | FollowUp::GiveUp => Ok(NOBODY_ASKED),
            FollowUp::Repeat => {
                let repeated = self.send(disputes, connector.as_ref(), action).await?;
                Ok(repeated.of_a_repeat())
            }
            FollowUp::LookUp => match disputes.ask_about(&self.dispute).await? {
                Ok(news) => {
                    // As for any other operation: processors don't know the offset of the business clock.
                    let age = disputes.base.clock.wall();
                    let age = age.seconds_since(action.operation.started_at);
                    Ok(action.find_outcome(&news).judge(recovery, age))
                }
                Err(unknown) => Ok(unknown),
            },
        }
    }

    /// Returns whether the processor did not do the last action.
    fn is_refused(&self, _claim: &Claim) -> bool {
        let last = self.dispute.actions.last();
        last.is_some_and(|action| match action.operation.progress {
            Progress::Declined | Progress::NeverHappened => true,
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown
            | Progress::Done => false,
        })
    }

    /// Returns whether a repeat asks the processor again.
    fn is_left_to_repeat(&self, claim: &Claim) -> bool {
        self.is_refused(claim)
    }

    async fn unresolved(
        disputes: &Disputes,
        id: &DisputeId,
        found: &UnresolvedOperation,
    ) -> Result<Option<Unresolved>, AppError> {
        disputes.unresolved(id, found).await
    }

    /// Notices report a dispute's state in a form of their own, not as the outcome of an operation.
    async fn read_notice(
        _disputes: &Arc<Disputes>,
        _merchant_id: &MerchantId,
        id: &DisputeId,
        _sender: Sender<'_>,
        _about: &About,
        _outcome: Option<&Outcome>,
    ) -> Result<Told, AppError> {
        Ok(Told {
            object: OpenObject::new(DISPUTE, id.as_str()),
            told: ToldOf::NotAskedFor,
            by_others: None,
        })
    }

    fn content(&self, disputes: &Disputes) -> Content {
        Content {
            content_type: DISPUTE_DETAILS,
            object: disputes.content.dispute(&self.clone().view()),
        }
    }

    fn answer<T>(&self, _disputes: &Disputes, render: impl FnOnce(Made<'_>) -> T) -> T {
        let view = self.clone().view();
        render(Made::object(&view, view.dispute.customer_id.as_ref()))
    }
}
