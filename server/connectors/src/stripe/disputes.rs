//! Reads Stripe's disputes and the answers to dispute actions.

use async_trait::async_trait;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::money::Money;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    AcceptDisputeRequest, Access, Approval, ChallengeDisputeRequest, DisputeAcceptance, DisputeAt,
    DisputeChallenges, DisputeLists, DisputeLookUps, DisputeNews, DisputePage, DisputeStatus,
    FileInFull, ListDisputesRequest, NoPlace, OperationKind, Outcome, UnknownReason,
};
use multirail_sdk::evidence::Evidence;
use serde_json::Value;
use tokio::time::Instant;

use super::description::UNITS;
use super::evidence::{self, LaidOut};
use super::generated::wire::{
    self, Challenge, Dispute, DisputeStatus as Word, ErrorAnswer, ListDisputesQuery, Since,
};
use super::pages::{Found, Page};
use super::{FILES_URL, Stripe, errors};
use crate::client::Answer;
use crate::outcome::{of_operation, thing, why_unknown};
use crate::steps::{evidence_file, last_step, made, step};
use crate::text::Text;
use crate::wire::{Body, WireAnswer, WireRequest, path};

/// The path segment of disputes.
const DISPUTES: &str = "disputes";

#[async_trait]
impl DisputeAcceptance for Stripe {
    async fn accept_dispute(&self, request: AcceptDisputeRequest) -> Outcome {
        let DisputeAt {
            access, reference, ..
        } = &request.dispute;
        let segments = ["v1", DISPUTES, reference.as_str(), "close"];
        let answer = self.post(access, &segments, request.key.as_str(), Body::Empty);
        of_operation(answer.await, closed)
    }
}

#[async_trait]
impl DisputeChallenges for Stripe {
    fn has_places(&self, evidence: &Evidence) -> Result<(), NoPlace> {
        evidence::check(evidence.files.iter().map(|file| file.item))
    }

    async fn challenge_dispute(&self, request: ChallengeDisputeRequest) -> Outcome {
        match evidence::lay_out(request.evidence) {
            Ok(evidence) => {
                self.challenge(&request.key, &request.dispute, evidence)
                    .await
            }
            Err(reason) => Outcome::never_happened(reason),
        }
    }
}

#[async_trait]
impl DisputeLookUps for Stripe {
    async fn find_dispute(&self, dispute: DisputeAt) -> Result<DisputeNews, UnknownReason> {
        let segments = ["v1", DISPUTES, dispute.reference.as_str()];
        let asked = WireRequest::get(path(&segments));
        found(self.send(&dispute.access, asked).await)
    }
}

#[async_trait]
impl DisputeLists for Stripe {
    async fn list_disputes(
        &self,
        request: ListDisputesRequest,
    ) -> Result<DisputePage, UnknownReason> {
        let query = ListDisputesQuery {
            created: Some(Since {
                gte: Some(request.from.unix_seconds()),
                lte: Some(request.until.unix_seconds()),
            }),
            limit: Some(PAGE),
            starting_after: request.page.as_deref().map(Text::from),
        };
        let segments = ["v1", DISPUTES];
        listed(self.get(&request.access, &segments, &query).await)
    }
}

/// Returns the state of a dispute; `updated_at` is the time of that state. `None` where it can't be
/// read.
pub fn news(dispute: Dispute, updated_at: Option<Timestamp>) -> Option<DisputeNews> {
    let (stage, status) = Word::read(&dispute.status).means()?;
    let (amount_minor, currency) = UNITS.read(dispute.amount, &dispute.currency)?;
    let due_by = dispute.evidence_details.and_then(|details| details.due_by);
    let moment = |seconds: i64| Timestamp::EPOCH.plus_seconds(seconds);
    Some(DisputeNews {
        reference: dispute.id,
        authorization_reference: dispute.payment_intent,
        authorization_key: None,
        stage,
        status,
        processor_status: dispute.status,
        rank: 0,
        money: Money::new(amount_minor, currency.parse().ok()?),
        reason: dispute.reason,
        reason_code: dispute.network_reason_code,
        challenge_required_by: due_by.and_then(moment),
        opened_at: moment(dispute.created),
        updated_at,
    })
}

/// Reads the answer to an acceptance. Stripe calls an accepted dispute lost.
pub fn closed(answer: &WireAnswer) -> Option<Outcome> {
    answered(answer, |status| match status {
        DisputeStatus::Lost | DisputeStatus::Accepted => true,
        DisputeStatus::Opened
        | DisputeStatus::Expired
        | DisputeStatus::Cancelled
        | DisputeStatus::Challenged
        | DisputeStatus::Won => false,
    })
}

/// Reads the answer to a challenge. The dispute is under review from then on.
pub fn challenged(answer: &WireAnswer) -> Option<Outcome> {
    answered(answer, |status| match status {
        DisputeStatus::Challenged | DisputeStatus::Won => true,
        DisputeStatus::Opened
        | DisputeStatus::Expired
        | DisputeStatus::Accepted
        | DisputeStatus::Cancelled
        | DisputeStatus::Lost => false,
    })
}

/// Returns the outcome of an action. It is unknown if the dispute hasn't reached the expected
/// status; then a look-up is needed.
fn answered(answer: &WireAnswer, is_reached: fn(DisputeStatus) -> bool) -> Option<Outcome> {
    if answer.status >= 400 {
        return refused(answer);
    }
    let dispute: Dispute = answer.json()?;
    let (_, status) = Word::read(&dispute.status).means()?;
    is_reached(status).then(|| {
        Outcome::Done(Approval {
            processor_status: Some(dispute.status),
            ..Approval::default()
        })
    })
}

/// Returns the outcome of a refused action.
fn refused(answer: &WireAnswer) -> Option<Outcome> {
    let ErrorAnswer { error } = answer.json()?;
    // Disputes have no authorization that could be gone.
    errors::outcome(OperationKind::Refund, &error)
}

/// Reads the answer to an upload, with the file's id.
fn uploaded(answer: &WireAnswer) -> Option<Outcome> {
    if answer.status >= 400 {
        return refused(answer);
    }
    let Found { id } = answer.json()?;
    Some(Outcome::Done(Approval {
        reference: Some(id),
        ..Approval::default()
    }))
}

/// Disputes per page. Each contains all of its evidence.
pub const PAGE: u8 = 10;

/// Reads a page of the list.
///
/// # Errors
/// The reason why the list is unknown.
pub fn listed(answer: Answer) -> Result<DisputePage, UnknownReason> {
    let page: Page<Value> = thing(answer).map_err(why_unknown)?;
    let last = page.data.last().and_then(|last| last["id"].as_str());
    let next = last.filter(|_| page.has_more).map(str::to_owned);
    // A dispute that can't be read doesn't hide the others.
    let read = |value: Value| news(serde_json::from_value(value).ok()?, None);
    Ok(DisputePage {
        disputes: page.data.into_iter().filter_map(read).collect(),
        next,
    })
}

impl Stripe {
    /// Uploads the files one by one, then submits texts and file ids in one request.
    pub(super) async fn challenge(
        &self,
        key: &ProcessorKey,
        dispute: &DisputeAt,
        evidence: LaidOut,
    ) -> Outcome {
        let end = Instant::now() + self.client.deadline();
        let LaidOut { mut texts, files } = evidence;
        for (name, file) in files {
            let key = format!("{key}_{name}");
            let sent = self.upload(&dispute.access, &key, file);
            match step(end, &format!("{name} went up"), sent).await {
                Ok(id) => texts.push((name, id)),
                Err(outcome) => return outcome,
            }
        }
        let evidence: wire::Evidence<'_> = texts
            .iter()
            .map(|(name, text)| (Text::from(*name), Text::from(text.as_str())))
            .collect();
        let submit = true;
        let body = Body::form(&Challenge { evidence, submit });
        let segments = ["v1", DISPUTES, dispute.reference.as_str()];
        let handed_in = async {
            let answer = self.post(&dispute.access, &segments, key.as_str(), body);
            of_operation(answer.await, challenged)
        };
        last_step(end, handed_in).await
    }

    /// Uploads a file and returns its id, or the outcome of a failed upload.
    async fn upload(
        &self,
        access: &Access,
        key: &str,
        file: FileInFull,
    ) -> Result<String, Outcome> {
        let request = WireRequest::post(path(&["v1", "files"]), evidence_file(file).await);
        let request = request.header("idempotency-key", SecretText::new(key));
        let answer = self.send_to(FILES_URL, access, request).await;
        made(of_operation(answer, uploaded))
    }
}

/// Reads the answer to a look-up of one dispute.
///
/// # Errors
/// The reason why the state is unknown.
pub fn found(answer: Answer) -> Result<DisputeNews, UnknownReason> {
    let dispute = thing(answer).map_err(why_unknown)?;
    news(dispute, None).ok_or(UnknownReason::UnreadableAnswer)
}
