//! Payments from their beginning to their end.

use multirail_app::ports::connector::Connector;
use multirail_connectors::wire::{Body, WireRequest};
use multirail_domain::connector::details::{
    Authentication, Browser, Document, FutureUsage, Initiation, Installments, Order, Payer, Place,
    ScaExemption,
};
use multirail_domain::connector::{AccountCheck, Descriptor, Details, Finding, Outcome};
use multirail_domain::payment::AuthenticationType;
use serde_json::json;

use crate::ledger::ENROLLED;
use crate::peer::Fault;
use crate::{Bench, CARD, reference, short};

#[tokio::test]
async fn a_sale() {
    let bench = Bench::new().await;
    let sale = bench.authorize("sale", 6540, true).await;
    assert_eq!(short(&sale), "done 6540");
    assert_eq!(bench.taken(), (6540, 0));
    assert_eq!(bench.told(), ["authorize sale done 6540"]);
    bench.peer.assert_strict();
}

#[tokio::test]
async fn everything_that_can_be_said_is_what_the_processor_takes() {
    let bench = Bench::new().await;
    let address = multirail_domain::connector::details::Address {
        address: Some(Place {
            first_name: Some("Ada".to_owned()),
            last_name: Some("Reader".to_owned()),
            line1: Some("1 Main St".to_owned()),
            city: Some("Springfield".to_owned()),
            state: Some("CA".to_owned()),
            zip: Some("94105-1234".to_owned()),
            country: Some("US".to_owned()),
            ..Place::default()
        }),
        ..Default::default()
    };
    let details = Details {
        authentication: Authentication {
            wanted: Some(AuthenticationType::ThreeDs),
            force_challenge: Some(true),
            exemption: Some(ScaExemption::LowValue),
            browser: Some(Browser {
                color_depth: Some(24),
                java_enabled: Some(false),
                language: Some("en-US".to_owned()),
                screen_height: Some(1080),
                screen_width: Some(1920),
                time_zone: Some(480),
                ip_address: Some("192.0.2.7".to_owned()),
                accept_header: Some("text/html".to_owned()),
                user_agent: Some("Mozilla/5.0".to_owned()),
                ..Browser::default()
            }),
            ..Authentication::default()
        },
        descriptor: Descriptor {
            text: Some("BOOKS & MORE".to_owned()),
            ..Descriptor::default()
        },
        initiation: Initiation {
            future_usage: Some(FutureUsage::OffSession),
            ..Initiation::default()
        },
        installments: Some(Installments {
            number_of_installments: Some(3),
            billing_frequency: None,
            installment_interest: None,
        }),
        order: Order {
            reference: Some("order-7".to_owned()),
            ..Order::default()
        },
        payer: Payer {
            customer_id: Some("cus_1".to_owned()),
            email: Some("ada@example.com".to_owned()),
            phone: Some("+1 555 010 0199".to_owned()),
            document: Some(Document {
                document_type: Some("CPF".to_owned()),
                document_number: Some("12345678909".to_owned()),
            }),
            billing: Some(address.clone()),
            shipping: Some(address),
            ..Payer::default()
        },
        takes_less: true,
        ..Details::default()
    };
    let request = bench.payment_by("all", 6540, false, CARD, details);
    assert_eq!(
        short(&bench.connector.authorize(request).await),
        "done 6540"
    );
    bench.peer.assert_strict();
}

#[tokio::test]
async fn captures_are_pending_until_the_notice() {
    let bench = Bench::new().await;
    let payment = reference(&bench.authorize("pay", 6540, false).await);
    assert_eq!(bench.taken(), (0, 0));
    for (name, amount) in [("c1", 4000), ("c2", 2000), ("c3", 541)] {
        let capture = bench.capture(name, "pay", &payment, amount).await;
        assert_eq!(short(&capture), "pending");
    }
    let void = bench.void("v1", "pay", Some(&payment), false).await;
    assert_eq!(short(&void), "pending");
    insta::assert_snapshot!(bench.told().join("\n"), @"
    authorize pay done 6540
    capture c1 done 4000
    capture c2 done 2000
    capture c3 declined CAPTURE: Insufficient balance on payment
    void v1 done
    ");
    assert_eq!(bench.taken(), (6000, 0));
    bench.peer.assert_strict();
}

#[tokio::test]
async fn refunds_take_no_more_than_there_is() {
    let bench = Bench::new().await;
    let payment = reference(&bench.authorize("pay", 6540, true).await);
    for (name, amount) in [("r1", 540), ("r2", 6001), ("r3", 6000)] {
        let refund = bench.refund(name, "pay", &payment, amount).await;
        assert_eq!(short(&refund), "pending");
    }
    insta::assert_snapshot!(bench.told().join("\n"), @"
    authorize pay done 6540
    refund r1 done 540
    refund r2 declined REFUND: Insufficient balance on payment
    refund r3 done 6000
    ");
    assert_eq!(bench.taken(), (6540, 6540));
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_void_gives_back_what_was_taken_with_the_authorization_only() {
    let bench = Bench::new().await;
    let sale = reference(&bench.authorize("sale", 6540, true).await);
    let manual = reference(&bench.authorize("manual", 6540, false).await);
    let capture = bench.capture("c1", "manual", &manual, 6540).await;
    assert_eq!(short(&capture), "pending");
    bench.told();
    bench.void("v1", "sale", Some(&sale), true).await;
    // Too late, and what the capture took stays taken.
    bench.void("v2", "manual", Some(&manual), false).await;
    insta::assert_snapshot!(bench.told().join("\n"), @"
    void v1 done
    void v2 declined CANCELLATION: Transaction was already captured or cancelled
    ");
    assert_eq!(bench.taken(), (13_080, 6540));
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_check_of_a_card_takes_nothing() {
    let bench = Bench::new().await;
    let check = bench.authorize("check", 0, true).await;
    assert_eq!(short(&check), "done 0");
    assert_eq!(bench.taken(), (0, 0));
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_refusal_is_told_alike_by_answer_and_notice() {
    let bench = Bench::new().await;
    let details = Details {
        connector_metadata: Some(json!({ "testing": { "holder_name": "NOT_ENOUGH_BALANCE" } })),
        ..Details::default()
    };
    let request = bench.payment_by("poor", 6540, true, CARD, details);
    let refused = bench.connector.authorize(request).await;
    assert_eq!(short(&refused), "declined 12: Not enough balance");
    assert_eq!(
        bench.told(),
        ["authorize poor declined 12: Not enough balance"]
    );
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_payer_who_authenticates() {
    let bench = Bench::new().await;
    let request = bench.payment_by("pay", 6540, true, ENROLLED, Details::default());
    let Outcome::CustomerMustAct { url, .. } = bench.connector.authorize(request).await else {
        panic!("no page")
    };
    assert_eq!(bench.taken(), (0, 0));
    let query = bench.peer.with_ledger(|ledger| ledger.visit(&url, true));
    let query = query.expect("a page of this ledger");
    // He comes back twice: the second time finds what the first one did.
    for _ in 0..2 {
        let request = bench.returned("pay", &query);
        assert_eq!(found(&bench, request).await, "done 6540");
    }
    assert_eq!(bench.told(), ["authorize pay done 6540"]);
    assert_eq!(bench.taken(), (6540, 0));
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_payer_who_gives_up() {
    let bench = Bench::new().await;
    let request = bench.payment_by("pay", 6540, true, ENROLLED, Details::default());
    let Outcome::CustomerMustAct { url, .. } = bench.connector.authorize(request).await else {
        panic!("no page")
    };
    let query = bench.peer.with_ledger(|ledger| ledger.visit(&url, false));
    let request = bench.returned("pay", &query.expect("a page of this ledger"));
    let refused = "declined in authentication 11: 3D Not Authenticated";
    assert_eq!(found(&bench, request).await, refused);
    assert_eq!(bench.told(), [format!("authorize pay {refused}")]);
    bench.peer.assert_strict();
}

#[tokio::test]
async fn the_result_of_a_cheaper_payment_does_not_pay_a_dearer_one() {
    let bench = Bench::new().await;
    let mut pages = Vec::new();
    for (name, amount) in [("cheap", 100), ("dear", 6540)] {
        let request = bench.payment_by(name, amount, true, ENROLLED, Details::default());
        let Outcome::CustomerMustAct { url, .. } = bench.connector.authorize(request).await else {
            panic!("no page")
        };
        pages.push(url);
    }
    let query = bench
        .peer
        .with_ledger(|ledger| ledger.visit(&pages[0], true));
    let query = query.expect("a page of this ledger");
    let unreadable = "unknown: unreadable_answer";
    assert_eq!(
        found(&bench, bench.returned("dear", &query)).await,
        unreadable
    );
    assert_eq!(
        found(&bench, bench.returned("dear", "redirectResult=forged")).await,
        unreadable
    );
    // Nobody is asked who brings nothing.
    let nothing = bench.returned("dear", "a=1");
    assert_eq!(found(&bench, nothing).await, "unknown: connection_lost");
    // What strangers bring uses up nothing.
    let query = bench
        .peer
        .with_ledger(|ledger| ledger.visit(&pages[1], true));
    let request = bench.returned("dear", &query.expect("a page of this ledger"));
    assert_eq!(found(&bench, request).await, "done 6540");
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_request_whose_answer_was_lost_is_done_once() {
    let bench = Bench::new().await;
    let lost = "unknown: connection_lost";
    bench.peer.fail_next(Fault::LosesAnswer);
    assert_eq!(short(&bench.authorize("pay", 6540, false).await), lost);
    let again = bench.authorize("pay", 6540, false).await;
    assert_eq!(short(&again), "done 6540");
    let payment = reference(&again);
    bench.peer.fail_next(Fault::LosesAnswer);
    assert_eq!(
        short(&bench.capture("c1", "pay", &payment, 5000).await),
        lost
    );
    assert_eq!(
        short(&bench.capture("c1", "pay", &payment, 5000).await),
        "pending"
    );
    bench.peer.fail_next(Fault::LosesAnswer);
    assert_eq!(short(&bench.refund("r1", "pay", &payment, 100).await), lost);
    assert_eq!(
        short(&bench.refund("r1", "pay", &payment, 100).await),
        "pending"
    );
    assert_eq!(bench.taken(), (5000, 100));
    insta::assert_snapshot!(bench.told().join("\n"), @"
    authorize pay done 6540
    capture c1 done 5000
    refund r1 done 100
    ");
    bench.peer.assert_strict();
}

#[tokio::test]
async fn a_payment_that_was_never_answered_is_cancelled_by_our_reference() {
    let bench = Bench::new().await;
    bench.peer.fail_next(Fault::LosesAnswer);
    bench.authorize("pay", 6540, false).await;
    assert_eq!(
        short(&bench.void("v1", "pay", None, false).await),
        "pending"
    );
    // Adyen hands back the payment's reference with this one, which isn't the void's.
    assert_eq!(bench.told(), ["authorize pay done 6540", "void ? done"]);
    bench.peer.assert_strict();
}

#[tokio::test]
async fn what_certainly_was_not_done_is_said_so() {
    let bench = Bench::new().await;
    bench.peer.fail_next(Fault::TooMany);
    bench.peer.fail_next(Fault::Transient);
    let refused = short(&bench.authorize("a", 6540, true).await);
    insta::assert_snapshot!(refused, @"never happened: the processor takes no more requests for 7 seconds");
    let refused = short(&bench.authorize("a", 6540, true).await);
    insta::assert_snapshot!(refused, @"never happened: the processor had no connection to the acquirer");
    let unknown = bench.capture("c1", "a", "PSPNOTHERE000001", 6540).await;
    insta::assert_snapshot!(short(&unknown), @"declined 167: Original pspReference required for this operation");
    assert_eq!(bench.taken(), (0, 0));
    bench.peer.assert_strict();
}

#[tokio::test]
async fn credentials_are_checked_by_a_request_that_does_nothing() {
    let bench = Bench::new().await;
    let checked = async |api_key: &str, merchant_account: &str| {
        let access = bench.access_with(api_key, merchant_account);
        bench.connector.check(access).await
    };
    assert_eq!(
        checked(crate::API_KEY, crate::MERCHANT_ACCOUNT).await,
        AccountCheck::Accepted
    );
    let refused = [
        checked("another", crate::MERCHANT_ACCOUNT).await,
        checked(crate::API_KEY, "BookshopBE").await,
    ];
    insta::assert_debug_snapshot!(refused, @r#"
    [
        Refused {
            message: "000: HTTP Status Response - Unauthorized",
        },
        Refused {
            message: "901: Invalid Merchant Account",
        },
    ]
    "#);
    let mut request = bench.payment("a", 6540, true);
    request.access = bench.access_with("another", crate::MERCHANT_ACCOUNT);
    let refused = bench.connector.authorize(request).await;
    insta::assert_snapshot!(short(&refused), @"declined credentials_refused: the processor refuses the credentials of this account (401)");
    assert_eq!(bench.told(), Vec::<String>::new());
    bench.peer.assert_strict();
}

#[tokio::test]
async fn the_stand_in_takes_nothing_that_is_not_described() {
    let bench = Bench::new().await;
    let access = bench.access();
    let sent = async |path: &str, body: serde_json::Value| {
        let request = WireRequest::post(path.to_owned(), Body::json(&body));
        let answer = bench.client.send(&access, "", request).await;
        answer.expect("an answer").status
    };
    let described = json!({ "merchantAccount": crate::MERCHANT_ACCOUNT });
    assert_eq!(sent("/v72/paymentMethods", described.clone()).await, 401);
    bench.peer.assert_strict();
    for (path, body) in [
        (
            "/v72/paymentMethods",
            json!({ "merchantAccount": "a", "mood": "good" }),
        ),
        ("/v72/paymentMethods", json!({ "merchantAccount": 5 })),
        ("/v72/paymentMethods", json!({})),
        ("/v72/paymentMethods?mood=good", described.clone()),
        ("/v72/paymentMethods/good", described.clone()),
        ("/v71/paymentMethods", described),
    ] {
        assert_eq!(sent(path, body.clone()).await, 400, "{path} {body}");
    }
    insta::assert_snapshot!(bench.peer.wrong().join("\n"), @r#"
    listPaymentMethods: Additional properties are not allowed ('mood' was unexpected)
    listPaymentMethods/merchantAccount: 5 is not of type "string"
    listPaymentMethods: "merchantAccount" is a required property
    /v72/paymentMethods has a query
    no POST /v72/paymentMethods/good
    another version
    "#);
}

async fn found(bench: &Bench, request: multirail_domain::connector::LookUpRequest) -> String {
    match bench.connector.look_up(request).await {
        Finding::Outcome(outcome) => short(&outcome),
        Finding::Absent { reason } => format!("absent: {reason}"),
    }
}
