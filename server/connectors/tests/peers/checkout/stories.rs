//! Cases that only Checkout.com has.

use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Address, Authentication, Browser, FutureUsage, Initiation, Order, Payer, Phone, Place,
    ScaExemption,
};
use multirail_sdk::connector::{
    AuthorizeRequest, DeclineCategory, Descriptor, Details, Finding, News, Outcome,
};
use multirail_sdk::instrument::PaymentMethodData;

use crate::suite::bench::{Authorization, Bench, PRICE, RETURN_URL, declined, done, done_for};
use crate::suite::peer::Fault;
use crate::suite::subject::CardThat;

async fn bench() -> Bench {
    Bench::new(super::start().await)
}

/// Summarizes all events: kind and outcome.
async fn summary(bench: &Bench) -> String {
    let secrets = bench.subject.secrets();
    let mut rows = Vec::new();
    for raw in bench.subject.notices().await {
        assert!(bench.is_signed(&raw, secrets.as_ref()));
        let read = bench.connector.read_notices(&raw, &bench.subject.access());
        for notice in read.expect("it is readable") {
            let says = match notice.news {
                News::Outcome { about, outcome } => match outcome {
                    Outcome::Done(done) => format!("{} done, {:?}", about.kind, done.amount_minor),
                    Outcome::Declined(decline) => {
                        format!("{} declined, {}", about.kind, decline.code)
                    }
                    other => panic!("{other:?}"),
                },
                News::Hint { about } => format!("ask about the {}", about.kind),
                News::Dispute(dispute) => format!("disputed as {}", dispute.reference),
                News::Nothing => "nothing".to_owned(),
                News::Unreadable => "unreadable".to_owned(),
            };
            rows.push(format!("{}: {says}", notice.kind));
        }
    }
    rows.join("\n")
}

fn request(bench: &Bench, details: Details) -> AuthorizeRequest {
    AuthorizeRequest {
        key: bench.key(),
        access: bench.subject.access(),
        money: PRICE,
        capture: false,
        data: PaymentMethodData::Card(bench.subject.card(CardThat::IsApproved)),
        return_url: RETURN_URL.to_owned(),
        details,
    }
}

#[tokio::test]
async fn everything_that_can_be_said_is_what_the_processor_takes() {
    let bench = bench().await;
    let text = |text: &str| Some(text.to_owned());
    let address = Address {
        address: Some(Place {
            line1: text("90 Tottenham Court Road"),
            line2: text("2nd floor"),
            city: text("London"),
            state: text("Greater London"),
            zip: text("W1T 4TJ"),
            country: "GB".parse().ok(),
            ..Place::default()
        }),
        phone: Some(Phone {
            number: text("4155552671"),
            country_code: text("+1"),
            ..Phone::default()
        }),
        ..Address::default()
    };
    let details = Details {
        description: text(&"Books ".repeat(40)),
        authentication: Authentication {
            wanted: Some(AuthenticationType::ThreeDs),
            force_challenge: Some(true),
            exemption: Some(ScaExemption::LowValue),
            browser: Some(Browser {
                ip_address: text("192.0.2.7"),
                ..Browser::default()
            }),
            ..Authentication::default()
        },
        descriptor: Descriptor {
            text: text("BOOKS AND MORE BOOKS, LONDON"),
            city: text("STRATFORD UPON AVON"),
            ..Descriptor::default()
        },
        initiation: Initiation {
            future_usage: Some(FutureUsage::OffSession),
            is_stored_credential: Some(true),
            ..Initiation::default()
        },
        order: Order {
            reference: text(&"order".repeat(20)),
            ..Order::default()
        },
        payer: Payer {
            email: text("ada@example.com"),
            name: text("Ada Reader"),
            billing: Some(address.clone()),
            shipping: Some(address),
            ..Payer::default()
        },
        takes_less: true,
        ..Details::default()
    };
    // The peer reports members that its document doesn't describe.
    let outcome = bench.connector.authorize(request(&bench, details)).await;
    assert!(
        matches!(outcome, Outcome::CustomerMustAct { .. }),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn events_tell_the_life_of_a_payment() {
    let bench = bench().await;
    let sold = bench.sold().await;
    bench.finish(&bench.refund(&sold, 540)).await;
    bench.finish(&bench.void(&sold)).await;
    let reserved = bench.reserved().await;
    bench.finish(&bench.capture(&reserved, 2000, false)).await;
    bench.finish(&bench.capture(&reserved, 3000, false)).await;
    bench.finish(&bench.void(&reserved)).await;
    let books = bench.books(&reserved).await;
    assert_eq!((books.captured, books.released), (5000, 1540));
    bench
        .ask(&bench.authorize(CardThat::IsDeclined, PRICE, true))
        .await;
    insta::assert_snapshot!(summary(&bench).await, @"
    payment_approved: authorize done, Some(6540)
    payment_captured: capture done, Some(6540)
    payment_refunded: refund done, Some(540)
    payment_refunded: void done, None
    payment_approved: authorize done, Some(6540)
    payment_captured: capture done, Some(2000)
    payment_captured: capture done, Some(3000)
    payment_voided: void done, None
    payment_declined: authorize declined, 20051
    ");
}

/// The list of actions lags behind accepted operations.
#[tokio::test]
async fn an_accepted_operation_is_not_absent() {
    let subject = super::subject().await;
    let checkout = subject.stand_in.clone();
    let bench = Bench::new(Box::new(subject));
    let reserved = bench.reserved().await;
    checkout.ledger().slow_down();
    let capture = bench.capture(&reserved, 6540, true);
    let Outcome::Pending { reference } = bench.ask(&capture).await else {
        panic!("it is accepted")
    };
    let pending = Finding::Outcome(Outcome::Pending {
        reference: reference.clone(),
    });
    assert_eq!(
        bench.look_up(&capture, reference.clone(), None).await,
        pending
    );
    // A missing action proves nothing for ten minutes.
    let finding = bench.look_up(&capture, None, None).await;
    assert!(matches!(finding, Finding::Absent { .. }), "{finding:?}");
    let recovery = bench.recovery(capture.kind());
    let judged = finding.judge(recovery, 599);
    assert!(matches!(judged, Outcome::Unknown(_)), "{judged:?}");

    checkout.ledger().process();
    for reference in [reference, None] {
        match bench.look_up(&capture, reference, None).await {
            Finding::Outcome(outcome) => done_for(outcome, PRICE),
            Finding::Absent { reason } => panic!("{reason}"),
        };
    }
}

#[tokio::test]
async fn a_payment_that_was_never_answered_is_found_by_our_reference_and_voided() {
    let bench = bench().await;
    for capture in [true, false] {
        bench.subject.peer().faults().next(Fault::LosesAnswer);
        let lost = bench.authorize(CardThat::IsApproved, PRICE, capture);
        bench.ask(&lost).await;
        let nameless = Authorization {
            reference: None,
            ..lost.authorization()
        };
        done(bench.finish(&bench.void(&nameless)).await);
        let books = bench.books(&nameless).await;
        let taken = if capture { 6540 } else { 0 };
        assert_eq!((books.captured, books.given_back), (taken, taken));
        assert_eq!(books.released, 6540 - taken);
    }
    let nobody = Authorization {
        key: bench.key(),
        reference: None,
        captured_at_once: true,
        money: PRICE,
    };
    let requests = bench.subject.peer().requests();
    let outcome = bench.ask(&bench.void(&nobody)).await;
    assert!(
        matches!(outcome, Outcome::NeverHappened { .. }),
        "{outcome:?}"
    );
    assert_eq!(bench.subject.peer().requests(), requests + 1, "the search");
}

#[tokio::test]
async fn a_refunded_payment_needs_no_reversal() {
    let bench = bench().await;
    let sold = bench.sold().await;
    done(bench.finish(&bench.refund(&sold, 6540)).await);
    done(bench.finish(&bench.void(&sold)).await);
    assert_eq!(bench.books(&sold).await.given_back, 6540);
}

/// The 403 is about the payment's state, not about the credentials.
#[tokio::test]
async fn a_403_about_a_payment_is_not_about_the_credentials() {
    let bench = bench().await;
    let reserved = bench.reserved().await;
    done(bench.finish(&bench.capture(&reserved, 6540, true)).await);
    for (asked, code) in [
        (bench.capture(&reserved, 100, true), "capture_not_allowed"),
        (bench.void(&reserved), "void_not_allowed"),
    ] {
        let decline = declined(bench.ask(&asked).await);
        assert_eq!(decline.code, code);
        assert_eq!(decline.category, Some(DeclineCategory::OperationNotAllowed));
    }
    let unpaid = bench.reserved().await;
    let decline = declined(bench.ask(&bench.refund(&unpaid, 100)).await);
    assert_eq!(decline.code, "refund_not_allowed");
}

#[tokio::test]
async fn another_channel_is_a_fault_of_the_account() {
    let bench = bench().await;
    let mut request = request(&bench, Details::default());
    let channel = "pc_anotheranotheranotheranot1".into();
    let metadata = &mut request.access.metadata;
    metadata.insert("processing_channel_id".to_owned(), channel);
    let decline = declined(bench.connector.authorize(request).await);
    assert_eq!(decline.code, "processing_channel_id_invalid");
    assert_eq!(decline.category, Some(DeclineCategory::ConfigurationIssue));
}

/// A capture can name its payment only by Checkout.com's id.
#[tokio::test]
async fn a_payment_without_id_is_not_captured() {
    bench().await.sends_nothing_without_a_reference().await;
}
