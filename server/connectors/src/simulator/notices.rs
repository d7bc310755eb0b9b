//! Reads the notices of the simulated processor.

use http::HeaderMap;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{About, News, Notice, OperationKind, RawNotice, Unreadable};
use multirail_simulator_wire::{DisputeNoticeBody, NOTICE_SIGNATURE_HEADER, NoticeBody};

use super::{disputes, map};
use crate::notices::is_body_signed;
use crate::wire::WireAnswer;

pub(super) fn verify(notice: &RawNotice, own: Option<&WebhookSecrets>) -> bool {
    is_body_signed(notice, NOTICE_SIGNATURE_HEADER, own)
}

pub(super) fn read(notice: &RawNotice) -> Result<Vec<Notice>, Unreadable> {
    if let Ok(told) = serde_json::from_slice::<DisputeNoticeBody>(&notice.body) {
        return dispute(told);
    }
    let body: NoticeBody = serde_json::from_slice(&notice.body).map_err(|_| Unreadable)?;
    let kind: OperationKind = body.operation.parse().map_err(|_| Unreadable)?;
    let answer = WireAnswer {
        status: 200,
        headers: HeaderMap::new(),
        body: body.answer.to_string().into_bytes(),
    };
    let outcome = map::read(kind, &body.key, &answer).ok_or(Unreadable)?;
    Ok(vec![Notice {
        id: body.id,
        kind: format!("{kind}.{}", body.word),
        happened_at: Timestamp::parse_rfc3339(&body.happened_at).ok(),
        news: News::Outcome {
            about: About {
                kind,
                key: Some(ProcessorKey::parse(&body.key).map_err(|_| Unreadable)?),
                reference: body.answer["reference"].as_str().map(str::to_owned),
                authorization_reference: body.authorization,
                authorization_key: None,
            },
            outcome,
        },
    }])
}

fn dispute(told: DisputeNoticeBody) -> Result<Vec<Notice>, Unreadable> {
    let happened_at = Timestamp::parse_rfc3339(&told.happened_at).ok();
    let kind = told.dispute.status.clone();
    let news = disputes::news(told.dispute, happened_at).ok_or(Unreadable)?;
    Ok(vec![Notice {
        id: told.id,
        kind,
        happened_at,
        news: News::Dispute(Box::new(news)),
    }])
}
