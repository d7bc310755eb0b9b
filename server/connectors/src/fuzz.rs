//! What fuzzing looks at in here: whatever a processor tells or answers, each connector makes something of it that it may
//! say. Compiled for tests, which replay `conformance/fuzz/corpus`, and by cargo-fuzz.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use http::{HeaderMap, HeaderName, HeaderValue};
use multirail_app::ports::connector::Connector;
use multirail_domain::connector::{
    AcceptDisputeRequest, Access, AccountCheck, CaptureRequest, ChallengeDisputeRequest,
    CompleteAuthorizationRequest, Descriptor, Details, DisputeAt, DisputeNews, EvidenceInFull,
    Finding, IncrementRequest, ListDisputesRequest, LookUpRequest, News, Notice,
    OpenSessionRequest, OperationKind, Outcome, RawNotice, RefundRequest, SessionOpening,
    VoidRequest,
};
use multirail_domain::connector_account::WebhookSecrets;
use multirail_domain::currency::Currency;
use multirail_domain::dispute::DisputeStage;
use multirail_domain::ids::{PaymentId, ProcessorKey};
use multirail_domain::money::Money;
use multirail_domain::secret::SecretText;
use multirail_domain::session::Wallet;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::unread::UnreadMembers;
use multirail_domain::webhook::target::TargetRules;
use multirail_simulator_wire as simulator_wire;
use serde_json::json;

use crate::client::{Answer, Client, ClientSettings};
use crate::wire::WireAnswer;
use crate::{adyen, checkout, fixture, simulator, stripe};

/// The connectors by name, in the order of their folders; the simulated processors have one connector.
pub const CONNECTORS: [&str; 4] = ["adyen", "checkout", "simulator", "stripe"];

/// Our own key of the payment that everything is about.
const KEY: &str = "mrk_4Hd72ksPq0ZbVx1LmYtA9cNeUw38gRfJ";
/// What the processor calls it.
const REFERENCE: &str = "pi_1";
/// What the processors of the corpus sign with.
const SECRET: &str = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
/// When the corpus was signed.
const NOW: i64 = 1_767_268_800;
/// Between two answers of an input.
const SEPARATOR: &[u8] = b"\n===\n";

/// Answers that lie ready, and the last one again and again.
#[derive(Clone, Debug)]
pub(crate) struct Canned {
    answers: Arc<Mutex<Vec<Canning>>>,
}

/// Status and body.
type Canning = (u16, Vec<u8>);

impl Canned {
    /// Each answer is a line with the status and a body.
    fn of(input: &[u8]) -> Self {
        let mut answers = Vec::new();
        let mut rest = input;
        while let Some(at) = rest
            .windows(SEPARATOR.len())
            .position(|here| here == SEPARATOR)
        {
            answers.push(answer(&rest[..at]));
            rest = &rest[at + SEPARATOR.len()..];
        }
        answers.push(answer(rest));
        answers.reverse();
        Canned {
            answers: Arc::new(Mutex::new(answers)),
        }
    }

    fn take(&self) -> Canning {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        match answers.as_slice() {
            [last] => last.clone(),
            _ => answers.pop().unwrap_or_default(),
        }
    }

    pub(crate) fn next(&self) -> Answer {
        let (status, body) = self.take();
        Ok(WireAnswer {
            status,
            headers: HeaderMap::from_iter([(
                HeaderName::from_static("retry-after"),
                HeaderValue::from_static("7"),
            )]),
            body,
        })
    }

    /// Whether each of them says that the processor has trouble of its own.
    fn are_troubles(&self) -> bool {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter().all(|(status, _)| *status >= 500)
    }
}

fn answer(input: &[u8]) -> Canning {
    let end = input.iter().position(|byte| *byte == b'\n');
    let (line, body) = input.split_at(end.unwrap_or(input.len()));
    let status = std::str::from_utf8(line).ok();
    let status = status.and_then(|line| line.trim().parse().ok());
    // No status is beyond those of HTTP.
    let status = status.filter(|status| (100..=599).contains(status));
    match status {
        Some(status) => (status, body.get(1..).unwrap_or_default().to_vec()),
        None => (200, input.to_vec()),
    }
}

#[async_trait]
impl simulator_wire::Transport for Canned {
    async fn send(
        &self,
        _request: simulator_wire::WireRequest,
    ) -> Result<simulator_wire::WireResponse, simulator_wire::TransportError> {
        let (status, body) = self.take();
        let body = String::from_utf8_lossy(&body).into_owned();
        Ok(simulator_wire::WireResponse { status, body })
    }
}

fn connector(name: &str, canned: Canned) -> Box<dyn Connector> {
    let client = || {
        let client = Client::new(ClientSettings {
            targets: TargetRules::default(),
            deadline: Duration::from_secs(60),
            calls_per_account: 8,
            proxy: None,
            trusted: Vec::new(),
        });
        Arc::new(client.answering(canned.clone()))
    };
    match name {
        "adyen" => Box::new(adyen::Adyen::new(client())),
        "checkout" => Box::new(checkout::Checkout::new(client())),
        "stripe" => Box::new(stripe::Stripe::new(client())),
        "simulator" => Box::new(simulator::Simulator::new(
            &simulator::DESCRIPTIONS[0],
            Arc::new(canned),
            Duration::from_secs(60),
        )),
        other => panic!("{other} is no connector"),
    }
}

fn access() -> Access {
    fixture::access(
        r#"{"auth_type":"BodyKey","api_key":"sk_1","key1":"BookshopNL"}"#,
        true,
        &json!({ "endpoint_prefix": "abcdefgh" }),
    )
}

fn key() -> ProcessorKey {
    ProcessorKey::parse(KEY).expect("a key")
}

fn money() -> Money {
    Money::new(6540, Currency::USD)
}

/// A notice, behind lines of its headers and an empty one. Nobody reads it before it is verified; here both are looked at.
///
/// # Panics
/// If `name` is none of [`CONNECTORS`], and where a connector does what it may not.
pub fn notices(name: &str, input: &[u8]) {
    let connector = connector(name, Canned::of(b""));
    let raw = raw_notice(input);
    let secrets = |secret: &str| WebhookSecrets {
        merchant_secret: SecretText::new(secret),
        additional_secret: None,
        unread: UnreadMembers::default(),
    };
    let now = Timestamp::EPOCH.plus_seconds(NOW).expect("in range");
    assert!(
        !connector.verify_notice(&raw, None, now),
        "without a secret"
    );
    let nobodys = secrets("00112233445566778899aabbccddeeff");
    assert!(!connector.verify_notice(&raw, Some(&nobodys), now));
    connector.verify_notice(&raw, Some(&secrets(SECRET)), now);
    let read = connector.read_notices(&raw, &access());
    assert_eq!(read, connector.read_notices(&raw, &access()));
    for notice in read.into_iter().flatten() {
        judge_notice(notice);
    }
}

fn raw_notice(input: &[u8]) -> RawNotice {
    let empty = input.windows(2).position(|two| two == b"\n\n");
    let (head, body) = match empty {
        Some(at) => (&input[..at], &input[at + 2..]),
        None => (&b""[..], input),
    };
    let head = String::from_utf8_lossy(head);
    let headers = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_ascii_lowercase(), value.to_owned()))
    });
    RawNotice {
        headers: headers.collect(),
        body: body.to_vec(),
    }
}

fn judge_notice(notice: Notice) {
    match notice.news {
        News::Outcome { outcome, .. } => {
            let is_final = matches!(outcome, Outcome::Done(_) | Outcome::Declined(_));
            let waits = matches!(outcome, Outcome::Pending { .. });
            assert!(
                is_final || waits,
                "what isn't known is asked for: {outcome:?}"
            );
            judge(&outcome);
        }
        News::Dispute(dispute) => judge_dispute(&dispute),
        News::Hint { .. } | News::Nothing => {}
    }
}

fn judge_dispute(dispute: &DisputeNews) {
    assert!(dispute.money.amount_minor >= 0, "{dispute:?}");
}

/// What any outcome may say.
fn judge(outcome: &Outcome) {
    match outcome {
        Outcome::Done(approval) => {
            assert!(
                approval.amount_minor.is_none_or(|amount| amount >= 0),
                "{outcome:?}"
            );
        }
        Outcome::CustomerMustAct { url, .. } | Outcome::DeviceDataNeeded { url, .. } => {
            let url = url::Url::parse(url).ok();
            let is_page = url.is_some_and(|url| url.has_host() && url.scheme().starts_with("http"));
            assert!(is_page, "a payer is sent nowhere else: {outcome:?}");
        }
        Outcome::Declined(_)
        | Outcome::Pending { .. }
        | Outcome::NeverHappened { .. }
        | Outcome::Unknown(_) => {}
    }
}

/// An answer, as a line with its status and a body: to every request that the connector knows, one after the other. Where a
/// request takes several, `===` stands between their answers.
///
/// # Panics
/// If `name` is none of [`CONNECTORS`], and where a connector does what it may not.
pub fn answers(name: &str, input: &[u8]) {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
    }
    RUNTIME.with(|runtime| runtime.block_on(ask(name, &Canned::of(input))));
}

async fn ask(name: &str, canned: &Canned) {
    let is_trouble = canned.are_troubles();
    // Each request begins with the first answer again.
    let connector = || {
        let answers = canned
            .answers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let own = Canned {
            answers: Arc::new(Mutex::new(answers.clone())),
        };
        drop(answers);
        self::connector(name, own)
    };
    let mut outcomes = Vec::new();
    let details = Details::default;
    let authorize = fixture::authorize(KEY, money(), details());
    let check = fixture::authorize(KEY, Money::new(0, Currency::USD), details());
    for mut request in [authorize, check] {
        request.access = access();
        outcomes.push(connector().authorize(request).await);
    }
    for reference in [Some(REFERENCE.to_owned()), None] {
        outcomes.extend(changes(&connector, reference.clone()).await);
        for kind in OperationKind::ALL {
            let request = look_up(*kind, reference.clone());
            match connector().look_up(request).await {
                Finding::Outcome(outcome) => outcomes.push(outcome),
                Finding::Absent { reason } => {
                    // What has no reference may never have been sent: then nobody is asked.
                    let is_proved = !is_trouble || reference.is_none();
                    assert!(is_proved, "trouble proves nothing: {reason}");
                }
            }
        }
    }
    outcomes.extend(of_disputes(&connector, is_trouble).await);
    for outcome in &outcomes {
        judge(outcome);
        let is_open = matches!(outcome, Outcome::Unknown(_) | Outcome::NeverHappened { .. });
        assert!(
            !is_trouble || is_open,
            "trouble decides nothing: {outcome:?}"
        );
    }
    let check = connector().check(access()).await;
    assert!(
        !is_trouble || matches!(check, AccountCheck::NotKnown(_)),
        "{check:?}"
    );
    let opens = connector();
    let session = opens.open_session(OpenSessionRequest {
        access: access(),
        wallet: Wallet::Klarna,
        payment_id: PaymentId::parse("pay_1").expect("an id"),
        money: money(),
        country: None,
    });
    let is_opened = matches!(session.await, SessionOpening::Opened { .. });
    assert!(!is_trouble || !is_opened);
}

/// What comes of the changes of a payment.
async fn changes(
    connector: &impl Fn() -> Box<dyn Connector>,
    reference: Option<String>,
) -> Vec<Outcome> {
    let void = |captured_at_once| VoidRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        captured_at_once,
        reason: None,
    };
    let increment = IncrementRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        money: money(),
        reason: None,
    };
    let capture = CaptureRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        money: money(),
        is_final: true,
        descriptor: Descriptor::default(),
    };
    let refund = RefundRequest {
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        money: money(),
        reason: None,
    };
    let complete = CompleteAuthorizationRequest {
        key: key(),
        access: access(),
        reference: reference.clone(),
        device_data_collected: None,
        shipping: None,
    };
    vec![
        connector().complete_authorization(complete).await,
        connector().increment(increment).await,
        connector().capture(capture).await,
        connector().void(void(false)).await,
        connector().void(void(true)).await,
        connector().void_captured(void(true)).await,
        connector().refund(refund).await,
    ]
}

fn look_up(kind: OperationKind, reference: Option<String>) -> LookUpRequest {
    LookUpRequest {
        kind,
        key: key(),
        access: access(),
        authorization_key: key(),
        authorization_reference: reference.clone(),
        reference,
        money: money(),
        started_at: Timestamp::EPOCH,
        returned_with: Some("redirectResult=abc".to_owned()),
    }
}

/// What comes of the actions about a dispute. Whatever is told of disputes is judged.
async fn of_disputes(
    connector: &impl Fn() -> Box<dyn Connector>,
    is_trouble: bool,
) -> Vec<Outcome> {
    let dispute = || DisputeAt {
        access: access(),
        reference: "dp_1".to_owned(),
        stage: DisputeStage::Dispute,
        authorization_key: key(),
        authorization_reference: Some(REFERENCE.to_owned()),
        money: money(),
        reason: None,
        reason_code: None,
    };
    let accept = AcceptDisputeRequest {
        key: key(),
        dispute: dispute(),
    };
    let challenge = ChallengeDisputeRequest {
        key: key(),
        dispute: dispute(),
        evidence: EvidenceInFull::default(),
    };
    let list = ListDisputesRequest {
        access: access(),
        from: Timestamp::EPOCH,
        until: Timestamp::EPOCH,
        page: None,
    };
    let found = connector().find_dispute(dispute()).await;
    assert!(!is_trouble || found.is_err());
    let listed = connector().list_disputes(list).await;
    assert!(!is_trouble || listed.is_err());
    let all = listed.into_iter().flat_map(|page| page.disputes);
    all.chain(found).for_each(|one| judge_dispute(&one));
    vec![
        connector().accept_dispute(accept).await,
        connector().challenge_dispute(challenge).await,
    ]
}

#[cfg(test)]
mod tests {
    use multirail_test_replay::replay;

    use super::*;

    const MUTATIONS: u64 = 700;

    #[test]
    fn adyens_answers() {
        replay("answers_adyen", MUTATIONS, |input| answers("adyen", input));
    }

    #[test]
    fn checkouts_answers() {
        replay("answers_checkout", MUTATIONS, |input| {
            answers("checkout", input)
        });
    }

    #[test]
    fn simulators_answers() {
        replay("answers_simulator", MUTATIONS, |input| {
            answers("simulator", input)
        });
    }

    #[test]
    fn stripes_answers() {
        replay("answers_stripe", MUTATIONS, |input| {
            answers("stripe", input)
        });
    }

    #[test]
    fn adyens_notices() {
        replay("notices_adyen", MUTATIONS, |input| notices("adyen", input));
    }

    #[test]
    fn checkouts_notices() {
        replay("notices_checkout", MUTATIONS, |input| {
            notices("checkout", input)
        });
    }

    #[test]
    fn simulators_notices() {
        replay("notices_simulator", MUTATIONS, |input| {
            notices("simulator", input)
        });
    }

    #[test]
    fn stripes_notices() {
        replay("notices_stripe", MUTATIONS, |input| {
            notices("stripe", input)
        });
    }

    #[test]
    fn every_connector_is_looked_at() {
        let real = crate::known(&Arc::new(Client::new(ClientSettings {
            targets: TargetRules::default(),
            deadline: Duration::from_secs(1),
            calls_per_account: 1,
            proxy: None,
            trusted: Vec::new(),
        })));
        for one in real.iter().filter(|one| !one.is_simulator) {
            assert!(CONNECTORS.contains(&one.name), "{}", one.name);
        }
    }
}
