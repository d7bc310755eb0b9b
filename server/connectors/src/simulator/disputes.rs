//! Reads and changes disputes of the simulated processor.

use async_trait::async_trait;
use multirail_kernel::money::Money;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::{
    AcceptDisputeRequest, Approval, ChallengeDisputeRequest, DisputeAcceptance, DisputeAt,
    DisputeChallenges, DisputeLists, DisputeLookUps, DisputeNews, DisputePage, DisputeStatus,
    EvidenceInFull, ListDisputesRequest, NoPlace, Outcome, UnknownReason,
};
use multirail_sdk::evidence::Evidence;
use multirail_simulator_wire::{
    ChallengeBody, DisputeAnswer, DisputeListAnswer, DisputeListBody, FileBody, WireRequest,
};
use serde_json::{Map, Value};

use super::{Simulator, map};
use crate::account::credential;
use crate::amounts::counted;
use crate::client::Answer;
use crate::outcome::{no_credentials, of_look_up, of_operation, why_unknown};
use crate::wire::WireAnswer;

impl Simulator {
    fn dispute_path(&self, reference: &str) -> String {
        format!("/{}/disputes/{reference}", self.description.name)
    }
}

#[async_trait]
impl DisputeAcceptance for Simulator {
    async fn accept_dispute(&self, request: AcceptDisputeRequest) -> Outcome {
        let Some(api_key) = credential(&request.dispute.access, "api_key") else {
            return no_credentials();
        };
        let reference = &request.dispute.reference;
        let path = format!("{}/accept", self.dispute_path(reference));
        let body = Map::<String, Value>::new();
        let sent = WireRequest::post(path, api_key, request.key.as_str(), &body);
        let stands = DisputeStatus::Accepted;
        acted(reference, stands, self.send(sent).await)
    }
}

#[async_trait]
impl DisputeChallenges for Simulator {
    /// The simulated processor accepts every item.
    fn has_places(&self, _evidence: &Evidence) -> Result<(), NoPlace> {
        Ok(())
    }

    async fn challenge_dispute(&self, request: ChallengeDisputeRequest) -> Outcome {
        let Some(api_key) = credential(&request.dispute.access, "api_key") else {
            return no_credentials();
        };
        let reference = &request.dispute.reference;
        let path = format!("{}/challenge", self.dispute_path(reference));
        let body = challenge(request.evidence);
        let sent = WireRequest::post(path, api_key, request.key.as_str(), &body);
        let stands = DisputeStatus::Challenged;
        acted(reference, stands, self.send(sent).await)
    }
}

#[async_trait]
impl DisputeLookUps for Simulator {
    async fn find_dispute(&self, dispute: DisputeAt) -> Result<DisputeNews, UnknownReason> {
        let Some(api_key) = credential(&dispute.access, "api_key") else {
            return Err(UnknownReason::ConnectionLost);
        };
        let path = self.dispute_path(&dispute.reference);
        let answer = self.send(WireRequest::get(path, api_key)).await;
        found(&dispute.reference, answer)
    }
}

#[async_trait]
impl DisputeLists for Simulator {
    async fn list_disputes(
        &self,
        request: ListDisputesRequest,
    ) -> Result<DisputePage, UnknownReason> {
        let Some(api_key) = credential(&request.access, "api_key") else {
            return Err(UnknownReason::ConnectionLost);
        };
        let body = DisputeListBody {
            from: request.from.to_string(),
            until: request.until.to_string(),
            after: request.page,
        };
        let path = format!("/{}/disputes", self.description.name);
        let sent = WireRequest::question(path, api_key, &body);
        listed(self.send(sent).await)
    }
}

/// Returns the state of a dispute; `updated_at` is the time of that state. `None` where it can't be
/// read.
pub(super) fn news(answer: DisputeAnswer, updated_at: Option<Timestamp>) -> Option<DisputeNews> {
    let moment = |told: Option<String>| Timestamp::parse_rfc3339(&told?).ok();
    Some(DisputeNews {
        reference: answer.reference,
        authorization_reference: Some(answer.authorization),
        authorization_key: None,
        stage: answer.stage.parse().ok()?,
        status: answer.status.parse().ok()?,
        processor_status: answer.status,
        rank: 0,
        money: Money::new(counted(answer.amount)?, answer.currency.parse().ok()?),
        reason: answer.reason,
        reason_code: answer.reason_code,
        challenge_required_by: moment(answer.challenge_required_by),
        opened_at: moment(answer.opened_at),
        updated_at: moment(answer.updated_at).or(updated_at),
    })
}

/// Returns the outcome of an action: done if the dispute has reached the expected status.
fn acted(reference: &str, stands: DisputeStatus, answer: Answer) -> Outcome {
    of_operation(answer, |answer| match answer.status {
        200 => {
            let dispute = read(reference, answer)?;
            (dispute.status == stands).then(|| {
                Outcome::Done(Approval {
                    processor_status: Some(dispute.processor_status),
                    ..Approval::default()
                })
            })
        }
        400..=499 => map::refused(answer),
        _ => None,
    })
}

/// Reads the answer to a look-up of one dispute.
fn found(reference: &str, answer: Answer) -> Result<DisputeNews, UnknownReason> {
    let mut dispute = None;
    let failed = of_look_up(answer, |answer| {
        if answer.status == 200 {
            dispute = read(reference, answer);
        }
        None
    });
    dispute.ok_or_else(|| why_unknown(failed))
}

/// Returns the body of a challenge.
fn challenge(evidence: EvidenceInFull) -> ChallengeBody {
    let texts = evidence.texts.into_iter();
    let files = evidence.files.into_iter();
    ChallengeBody {
        texts: texts
            .map(|one| (one.item.as_str().to_owned(), one.text))
            .collect(),
        files: files
            .map(|file| FileBody {
                name: file.item.as_str().to_owned(),
                file_type: file.file_type.as_str().to_owned(),
                bytes: i64::try_from(file.bytes.len()).unwrap_or(i64::MAX),
            })
            .collect(),
    }
}

/// Reads the answer to the request for a list of disputes.
fn listed(answer: Answer) -> Result<DisputePage, UnknownReason> {
    let mut page = None;
    let failed = of_look_up(answer, |answer| {
        if answer.status == 200 {
            page = answer.json::<DisputeListAnswer>();
        }
        None
    });
    let page = page.ok_or_else(|| why_unknown(failed))?;
    let disputes = page.disputes.into_iter();
    Ok(DisputePage {
        disputes: disputes.filter_map(|one| news(one, None)).collect(),
        next: page.next,
    })
}

/// Reads a 200 answer. It must be about this dispute.
fn read(reference: &str, answer: &WireAnswer) -> Option<DisputeNews> {
    let answer: DisputeAnswer = answer.json()?;
    news(answer, None).filter(|news| news.reference == reference)
}
