//! The outcome of a request without an answer, learned from processors of every kind: the simulated one, with other
//! descriptions. No worker runs, so that only the test asks.

mod bench;

use multirail_app::payments::CallCredentials;
use multirail_app::payments::payer_address::{PayerPage, Visited};
use multirail_app::payments::refunds::create::CreateRefund;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::payments::refund::RefundType;
use multirail_sdk::connector::{Absence, Recovery};
use multirail_simulator::scripted::{Call, Fault};

use self::bench::{Bench, origin};

const LOST: Fault = Fault::LosesAnswer;
const NEVER_ARRIVED: Fault = Fault::LosesRequest;

#[tokio::test]
async fn an_authorization_is_repeated_at_once_where_that_tells() {
    let mut lines = Vec::new();
    for (story, repeats, faults) in [
        ("answer lost, not repeated", false, vec![LOST]),
        ("answer lost", true, vec![LOST]),
        ("request lost", true, vec![NEVER_ARRIVED]),
        ("answered too late", true, vec![Fault::AnswersLate]),
        ("lost twice", true, vec![LOST, LOST]),
        ("repeat throttled", true, vec![LOST, Fault::Throttles]),
        ("refused at once", true, vec![Fault::Throttles]),
    ] {
        let bench = Bench::open(Recovery::Notice, repeats).await;
        for fault in faults {
            bench.next_meets(Call::Authorize, fault);
        }
        let paid = bench.pays(CaptureMethod::Automatic).await.payment;
        let filed = bench.processor.ledger().authorizations().unwrap().len();
        let unknown = paid
            .active()
            .authorization
            .as_ref()
            .and_then(|one| one.unknown);
        let why = unknown.map_or(String::new(), |reason| format!(" ({reason})"));
        let status = paid.status;
        lines.push(format!("{story}: {status}{why}, at the processor: {filed}"));
        assert_eq!(bench.remaining_faults(), 0, "{story}");
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    answer lost, not repeated: processing (connection_lost), at the processor: 1
    answer lost: succeeded, at the processor: 1
    request lost: succeeded, at the processor: 1
    answered too late: succeeded, at the processor: 1
    lost twice: processing (connection_lost), at the processor: 1
    repeat throttled: processing (connection_lost), at the processor: 1
    refused at once: failed, at the processor: 0
    ");
}

#[tokio::test]
async fn a_processor_that_only_sends_notices_is_not_asked() {
    let bench = Bench::open(Recovery::Notice, false).await;
    let held = bench.pays(CaptureMethod::Manual).await;
    bench.next_meets(Call::Capture, LOST);
    bench.captures(&held).await;
    // A question would meet them.
    for call in [Call::LookUp, Call::Capture] {
        bench.next_meets(call, Fault::TimesOut);
    }
    insta::assert_snapshot!(bench.asks_about(&held).await, @"processing, capture unknown waits for notice");
    assert_eq!(bench.remaining_faults(), 2);
    assert_eq!(bench.captured(), 6540);
}

#[tokio::test]
async fn where_a_repeat_tells_it_is_sent_while_that_is_allowed() {
    let bench = Bench::open(
        Recovery::Repeat {
            within_seconds: 600,
        },
        false,
    )
    .await;
    let mut lines = Vec::new();
    for (story, fault) in [("answer lost", LOST), ("request lost", NEVER_ARRIVED)] {
        let held = bench.pays(CaptureMethod::Manual).await;
        bench.next_meets(Call::Capture, fault);
        bench.captures(&held).await;
        lines.push(format!("{story}: {}", bench.waiting().await));
        bench.next_meets(Call::Capture, Fault::Throttles);
        lines.push(format!(
            "repeat throttled: {}",
            bench.asks_about(&held).await
        ));
        lines.push(format!("repeated: {}", bench.asks_about(&held).await));
        lines.push(format!("captured in all: {}", bench.captured()));
    }
    let held = bench.pays(CaptureMethod::Manual).await;
    bench.next_meets(Call::Capture, NEVER_ARRIVED);
    bench.captures(&held).await;
    bench.time_passes(600);
    lines.push(format!(
        "ten minutes after: {}",
        bench.asks_about(&held).await
    ));
    lines.push(format!("captured in all: {}", bench.captured()));
    // A payment that the processor had no trace of failed, and must not be carried out afterwards.
    let held = bench.pays(CaptureMethod::Manual).await;
    bench.next_meets(Call::Capture, Fault::Throttles);
    bench.captures(&held).await;
    bench.time_passes(60);
    let asked = bench.asks_what_is_due().await;
    lines.push(format!(
        "refused at once: {asked} asked about, {}",
        bench.asks_about(&held).await
    ));
    lines.push(format!("captured in all: {}", bench.captured()));
    insta::assert_snapshot!(lines.join("\n"), @"
    answer lost: capture unknown waits for repeat
    repeat throttled: processing, capture unknown waits for repeat
    repeated: succeeded
    captured in all: 6540
    request lost: capture unknown waits for repeat
    repeat throttled: processing, capture unknown waits for repeat
    repeated: succeeded
    captured in all: 13080
    ten minutes after: processing, capture unknown waits for notice
    captured in all: 13080
    refused at once: 2 asked about, requires_capture, capture unknown waits for notice
    captured in all: 13080
    ");
}

#[tokio::test]
async fn a_refund_is_repeated_like_a_capture() {
    let bench = Bench::open(
        Recovery::Repeat {
            within_seconds: 600,
        },
        false,
    )
    .await;
    let paid = bench.pays(CaptureMethod::Automatic).await;
    bench.next_meets(Call::Refund, LOST);
    let request = CreateRefund {
        merchant_id: bench.merchant_id.clone(),
        scope: None,
        named_merchant_id: None,
        payment_id: paid.payment.payment_id.clone(),
        refund_id: None,
        amount: Some(1000),
        reason: None,
        refund_type: RefundType::Instant,
        metadata: None,
        credentials: CallCredentials::default(),
    };
    let refund = bench
        .services
        .refunds
        .create(&origin(), request)
        .await
        .unwrap();
    let waiting = bench.waiting().await;
    let (merchant_id, refund_id) = (&bench.merchant_id, &refund.refund_id);
    let origin = origin();
    let asked = bench
        .services
        .refunds
        .retrieve(&origin, merchant_id, None, refund_id, true);
    let status = asked.await.unwrap().status;
    insta::assert_snapshot!(format!("{} ({waiting}), then {status}", refund.status), @"pending (refund unknown waits for repeat), then succeeded");
    assert_eq!(bench.processor.ledger().refunds().unwrap().len(), 1);
}

/// The processor can't be asked, and no notice arrives. The payment ends all the same, and a payment that had arrived is
/// voided by our own reference.
#[tokio::test]
async fn a_payment_without_any_answer_is_given_up_and_voided() {
    let mut lines = Vec::new();
    for (story, fault) in [("never arrived", NEVER_ARRIVED), ("answer lost", LOST)] {
        let give_up = Recovery::GiveUp { after_seconds: 120 };
        let bench = Bench::open(give_up, false).await;
        bench.next_meets(Call::Authorize, fault);
        let paid = bench.pays(CaptureMethod::Automatic).await;
        let early = bench.asks_about(&paid).await;
        bench.time_passes(120);
        let late = bench.asks_about(&paid).await;
        lines.push(format!(
            "{story}: {early}; then {late}, held {}",
            bench.held()
        ));
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    never arrived: processing, authorize unknown waits for notice; then failed, held 0
    answer lost: processing, authorize unknown waits for notice; then failed, held 0
    ");
}

#[tokio::test]
async fn absence_proves_nothing_before_its_time() {
    let lagging = Recovery::LookUp(Absence::ProvesAfter { seconds: 3_600 });
    let bench = Bench::open(lagging, false).await;
    bench.next_meets(Call::Authorize, NEVER_ARRIVED);
    let paid = bench.pays(CaptureMethod::Automatic).await;
    let at_once = bench.asks_about(&paid).await;
    // A moved clock makes no processor's search faster.
    bench.time_passes(7_200);
    let moved = bench.asks_about(&paid).await;
    insta::assert_snapshot!(format!("{at_once}\n{moved}"), @"
    processing, authorize unknown waits for look_up
    processing, authorize unknown waits for look_up
    ");

    let proving = Bench::open(Recovery::LookUp(Absence::Proves), false).await;
    proving.next_meets(Call::Authorize, NEVER_ARRIVED);
    let paid = proving.pays(CaptureMethod::Automatic).await;
    insta::assert_snapshot!(proving.asks_about(&paid).await, @"failed");
}

#[tokio::test]
async fn what_a_payer_brings_back_is_shown_to_the_processor() {
    const THREE_DS: &str = "4000003800000446";
    let bench = Bench::open(Recovery::Notice, false).await;
    let asked = bench.pays_with(THREE_DS, CaptureMethod::Automatic).await;
    let mut lines = vec![format!(
        "{}, {}",
        asked.payment.status,
        bench.waiting().await
    )];
    let filed = bench.processor.ledger().authorizations().unwrap().remove(0);
    let token = filed.page_token.expect("a page");
    bench.processor.decide(&token, true).unwrap();
    let url = filed.return_url;
    let path = url.split_once("/payments/").expect("an address of ours").1;
    let [payment_id, merchant_id, _, _, connector, attempt_id, token] =
        *path.split('/').collect::<Vec<_>>()
    else {
        panic!("{url}");
    };
    let visit = bench.services.payments.admit_payer(Visited {
        page: PayerPage::BackFrom { connector },
        merchant_id,
        payment_id,
        attempt_id,
        token,
    });
    let visit = visit.expect("an address of ours");
    let endless = "x".repeat(8_193);
    for query in [
        None,
        Some(""),
        Some(endless.as_str()),
        Some("redirectResult=a%2Bb"),
    ] {
        bench
            .services
            .payments
            .payer_returned("req_1".to_owned(), &visit, query)
            .await
            .unwrap();
        let shown = std::mem::take(&mut *bench.returned_with.lock().unwrap());
        let id = &asked.payment.payment_id;
        let payment = bench.services.store.payment(&bench.merchant_id, id).await;
        let status = payment.unwrap().expect("a payment").status;
        let length = query.map(str::len);
        lines.push(format!("back with {length:?} bytes: {shown:?}, {status}"));
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    requires_customer_action, authorize awaiting_customer waits for payer
    back with None bytes: [], requires_customer_action
    back with Some(0) bytes: [], requires_customer_action
    back with Some(8193) bytes: [], requires_customer_action
    back with Some(20) bytes: [Some("redirectResult=a%2Bb")], succeeded
    "#);
}
