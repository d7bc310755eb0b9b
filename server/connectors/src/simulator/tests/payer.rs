use multirail_kernel::currency::Currency;
use multirail_kernel::money::Money;
use multirail_sdk::connector::{
    AuthorizeRequest, DeclineCategory, OperationKind, Outcome, Payments, RefundRequest, Remarks,
    StepKind,
};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::PayerMethod;
use multirail_sdk::payment_method::PaymentMethodType;
use multirail_simulator::pages::{self, PageResponse};
use multirail_simulator_wire::Step;

use super::{THREE_DS, declined, done, redirect};
use crate::simulator::fixture::{Bench, RETURN_URL, authorize_request, refund_request};

/// Returns a bench with one payment of 65.40 USD, and the token of its page.
async fn waiting(capture: bool) -> (Bench, String) {
    let bench = Bench::new("checkout_test");
    let url = redirect(bench.authorize_as("a", THREE_DS, 6540, capture).await);
    let token = url.rsplit('/').next().expect("a token").to_owned();
    (bench, token)
}

fn is_return(page: &PageResponse) -> bool {
    page.status == 302 && page.location.as_deref() == Some(RETURN_URL) && page.html.is_empty()
}

#[tokio::test]
async fn the_payer_approves() {
    for capture in [true, false] {
        let (bench, token) = waiting(capture).await;
        let page = pages::show(&bench.processor, &token);
        assert_eq!(page.status, 200);
        assert!(page.html.contains("65.40 USD") && page.html.contains("checkout_test"));
        redirect(bench.look_up(OperationKind::Authorize, "a").await);

        assert!(is_return(&pages::complete(
            &bench.processor,
            &token,
            Some("true")
        )));
        assert_eq!(
            done(bench.look_up(OperationKind::Authorize, "a").await),
            6540
        );
        let captured = bench.processor.ledger().totals().expect("totals")["a"].captured;
        assert_eq!(captured, if capture { 6540 } else { 0 });
    }
}

#[tokio::test]
async fn the_payer_rejects() {
    let (bench, token) = waiting(true).await;
    assert!(is_return(&pages::complete(
        &bench.processor,
        &token,
        Some("false")
    )));
    let decline = declined(bench.look_up(OperationKind::Authorize, "a").await);
    assert_eq!(decline.code, "DC_08");
    assert_eq!(decline.message, "Payment declined: Rejected by the payer");
    assert!(decline.in_authentication);
}

#[tokio::test]
async fn only_the_first_decision_counts() {
    let (bench, token) = waiting(true).await;
    assert!(is_return(&pages::complete(
        &bench.processor,
        &token,
        Some("true")
    )));
    // A second click also redirects to the merchant and changes nothing.
    assert!(is_return(&pages::complete(
        &bench.processor,
        &token,
        Some("false")
    )));
    assert_eq!(
        done(bench.look_up(OperationKind::Authorize, "a").await),
        6540
    );
    let page = pages::show(&bench.processor, &token);
    assert_eq!((page.status, page.location), (410, None));
}

#[tokio::test]
async fn the_page_expires() {
    let (bench, token) = waiting(true).await;
    bench.clock.advance(35_999);
    assert_eq!(pages::show(&bench.processor, &token).status, 200);
    redirect(bench.look_up(OperationKind::Authorize, "a").await);
    bench.clock.advance(1);
    assert_eq!(pages::show(&bench.processor, &token).status, 410);
    assert_eq!(
        pages::complete(&bench.processor, &token, Some("true")).status,
        410
    );
    let decline = declined(bench.look_up(OperationKind::Authorize, "a").await);
    assert!(decline.in_authentication);
    assert_eq!(
        bench.processor.ledger().totals().expect("totals")["a"].authorized,
        0
    );
}

#[tokio::test]
async fn addresses_that_lead_nowhere() {
    let (bench, token) = waiting(true).await;
    for token in ["", "nothing", "<script>", "' or 1=1 --"] {
        let page = pages::show(&bench.processor, token);
        assert_eq!(page.status, 404);
        assert!(!page.html.contains("<script>"));
        assert_eq!(
            pages::complete(&bench.processor, token, Some("true")).status,
            404
        );
    }
    for confirm in [None, Some(""), Some("yes"), Some("TRUE")] {
        assert_eq!(
            pages::complete(&bench.processor, &token, confirm).status,
            400
        );
    }
    redirect(bench.look_up(OperationKind::Authorize, "a").await);
}

#[tokio::test]
async fn every_page_carries_its_headers() {
    let (bench, token) = waiting(true).await;
    let page = pages::complete(&bench.processor, &token, Some("true"));
    let headers = page.headers();
    assert!(headers.contains(&("location", RETURN_URL.to_owned())));
    for name in [
        "content-security-policy",
        "content-type",
        "cache-control",
        "referrer-policy",
    ] {
        assert!(headers.iter().any(|(own, _)| *own == name), "{name}");
    }
}

#[tokio::test]
async fn a_return_address_that_no_browser_should_follow_is_refused() {
    let bench = Bench::new("stripe_test");
    for url in [
        "",
        "javascript:alert(1)",
        "https://a.example/\r\nset-cookie: x",
    ] {
        let mut request = super::super::fixture::authorize_request("a", THREE_DS, 6540, true);
        request.return_url = url.to_owned();
        let outcome =
            multirail_sdk::connector::Payments::authorize(&bench.connector, request).await;
        assert_eq!(declined(outcome).code, "DC_02", "{url:?}");
    }
}

/// Returns a bench with a transfer of 65.40 EUR under the key `a`, which has brought this amount.
async fn transferred(amount: i64) -> Bench {
    let bench = Bench::new("stripe_test");
    let method = PayerMethod::new(PaymentMethodType::Multibanco);
    let request = AuthorizeRequest {
        money: Money::new(6540, Currency::EUR),
        data: PaymentMethodData::Payer(Box::new(method.into())),
        ..authorize_request("a", THREE_DS, 6540, true)
    };
    let asked = bench.connector.authorize(request).await;
    let Outcome::CustomerMustAct { step, .. } = asked else {
        panic!("{asked:?}");
    };
    let StepKind::Shown(shown) = step.kind else {
        panic!("{step:?}");
    };
    let url = shown.url.expect("a page");
    let token = url.rsplit('/').next().expect("a token");
    let page = bench.processor.transfer(token, amount);
    page.expect("the ledger works");
    bench
}

fn sent_back(remarks: Option<Box<Remarks>>) -> Option<i64> {
    remarks?.more.get("sent_back_to_payer")?.as_i64()
}

#[tokio::test]
async fn a_void_sends_back_the_part_of_a_transfer_that_came() {
    let bench = transferred(3270).await;
    for _ in 0..2 {
        let Outcome::Done(void) = bench.void("v", "a").await else {
            panic!("no void");
        };
        assert_eq!(
            (void.amount_minor, sent_back(void.remarks)),
            (Some(0), Some(3270))
        );
    }
    let Outcome::Done(void) = bench.look_up(OperationKind::Void, "v").await else {
        panic!("no void");
    };
    assert_eq!(sent_back(void.remarks), Some(3270));
    let cancelled = declined(bench.look_up(OperationKind::Authorize, "a").await);
    assert_eq!(sent_back(cancelled.remarks), Some(3270));
}

#[tokio::test]
async fn the_end_of_the_time_sends_back_the_part_of_a_transfer_that_came() {
    let bench = transferred(3270).await;
    bench.clock.advance(Step::Transfer.valid_seconds());
    let late = declined(bench.look_up(OperationKind::Authorize, "a").await);
    assert_eq!(
        (late.code.as_str(), late.category),
        ("DC_21", Some(DeclineCategory::PaymentSessionTimeout))
    );
    assert_eq!(sent_back(late.remarks), Some(3270));
}

#[tokio::test]
async fn the_excess_of_a_transfer_is_refunded_apart_from_captured_money() {
    let bench = transferred(10_000).await;
    let Outcome::Done(paid) = bench.look_up(OperationKind::Authorize, "a").await else {
        panic!("it is not paid");
    };
    assert_eq!((paid.amount_minor, paid.excess), (Some(6540), Some(3460)));
    let refund = async |key, amount, of_excess| {
        let request = RefundRequest {
            money: Money::new(amount, Currency::EUR),
            of_excess,
            ..refund_request(key, "a", amount)
        };
        bench.connector.refund(request).await
    };
    assert_eq!(declined(refund("r1", 3461, true).await).code, "DC_03");
    for _ in 0..2 {
        assert_eq!(done(refund("r2", 3460, true).await), 3460);
    }
    assert_eq!(declined(refund("r3", 1, true).await).code, "DC_03");
    assert_eq!(done(refund("r4", 6540, false).await), 6540);
    assert_eq!(
        bench.processor.ledger().totals().expect("totals")["a"].refunded,
        6540
    );
}
