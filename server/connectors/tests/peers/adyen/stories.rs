//! Cases that only Adyen has.

use multirail_sdk::charge::AuthenticationType;
use multirail_sdk::connector::details::{
    Authentication, Browser, Document, FutureUsage, Initiation, Installments, Order, Payer, Place,
    ScaExemption,
};
use multirail_sdk::connector::{
    AuthorizeRequest, Descriptor, Details, Finding, News, Outcome, UnknownReason,
};
use multirail_sdk::instrument::PaymentMethodData;

use super::start;
use crate::suite::bench::{Authorization, Bench, PRICE, RETURN_URL, declined, done, done_for};
use crate::suite::peer::Fault;
use crate::suite::subject::CardThat;

pub async fn bench() -> Bench {
    Bench::new(start().await)
}

/// Summarizes all notices: kind and outcome.
pub async fn summaries(bench: &Bench) -> Vec<String> {
    let secrets = bench.subject.secrets();
    let mut rows = Vec::new();
    for raw in bench.subject.notices().await {
        assert!(bench.is_signed(&raw, secrets.as_ref()));
        let read = bench.connector.read_notices(&raw, &bench.subject.access());
        for notice in read.expect("it is readable") {
            let News::Outcome { about, outcome } = notice.news else {
                panic!("{notice:?}")
            };
            let became = match outcome {
                Outcome::Done(done) => format!("done, amount {:?}", done.amount_minor),
                Outcome::Declined(decline) => {
                    format!("declined {}: {}", decline.code, decline.message)
                }
                other => panic!("{other:?}"),
            };
            rows.push(format!("{} by {}: {became}", about.kind, notice.kind));
        }
    }
    rows
}

#[tokio::test]
async fn everything_that_can_be_said_is_what_the_processor_takes() {
    let bench = bench().await;
    let address = multirail_sdk::connector::details::Address {
        address: Some(Place {
            first_name: Some("Ada".to_owned()),
            last_name: Some("Reader".to_owned()),
            line1: Some("1 Main St".to_owned()),
            city: Some("Springfield".to_owned()),
            state: Some("CA".to_owned()),
            zip: Some("94105-1234".to_owned()),
            country: "US".parse().ok(),
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
            ..Installments::default()
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
                ..Document::default()
            }),
            billing: Some(address.clone()),
            shipping: Some(address),
            ..Payer::default()
        },
        takes_less: true,
        ..Details::default()
    };
    let request = AuthorizeRequest {
        key: bench.key(),
        access: bench.subject.access(),
        money: PRICE,
        capture: false,
        data: PaymentMethodData::Card(bench.subject.card(CardThat::IsApproved)),
        return_url: RETURN_URL.to_owned(),
        details,
    };
    // The peer reports members that its document doesn't describe.
    done_for(bench.connector.authorize(request).await, PRICE);
}

#[tokio::test]
async fn notices_tell_the_life_of_a_payment() {
    let bench = bench().await;
    let sold = bench.sold().await;
    bench.finish(&bench.refund(&sold, 540)).await;
    bench.finish(&bench.refund(&sold, 6540)).await;
    let reserved = bench.reserved().await;
    bench.finish(&bench.capture(&reserved, 6000, true)).await;
    let raisable = bench.raisable().await;
    bench.finish(&bench.raise(&raisable, 9000)).await;
    bench.finish(&bench.raise(&raisable, 1_000_001)).await;
    bench.finish(&bench.capture(&raisable, 9000, true)).await;
    // Too late: captured money stays captured.
    declined(bench.finish(&bench.void(&reserved)).await);
    bench.finish(&bench.void(&bench.sold().await)).await;
    bench.finish(&bench.void(&bench.reserved().await)).await;
    bench
        .ask(&bench.authorize(CardThat::IsDeclined, PRICE, true))
        .await;
    insta::assert_snapshot!(summaries(&bench).await.join("\n"), @"
    authorize by AUTHORISATION: done, amount Some(6540)
    refund by REFUND: done, amount Some(540)
    refund by REFUND: declined REFUND: Insufficient balance on payment
    authorize by AUTHORISATION: done, amount Some(6540)
    capture by CAPTURE: done, amount Some(6000)
    authorize by AUTHORISATION: done, amount Some(6540)
    increment by AUTHORISATION_ADJUSTMENT: done, amount Some(9000)
    increment by AUTHORISATION_ADJUSTMENT: declined 12: Not enough balance
    capture by CAPTURE: done, amount Some(9000)
    void by CANCELLATION: declined CANCELLATION: Transaction was already captured or cancelled
    authorize by AUTHORISATION: done, amount Some(6540)
    void by CANCEL_OR_REFUND: done, amount None
    authorize by AUTHORISATION: done, amount Some(6540)
    void by CANCELLATION: done, amount None
    authorize by AUTHORISATION: declined 12: Not enough balance
    ");
    assert_eq!(bench.books(&reserved).await.given_back, 0);
}

#[tokio::test]
async fn a_refusal_is_the_same_by_answer_and_by_notice() {
    let bench = bench().await;
    let asked = bench.authorize(CardThat::IsDeclined, PRICE, true);
    let answered = declined(bench.ask(&asked).await);
    let told = declined(bench.outcome_by_notice(&asked).await.expect("a notice"));
    assert_eq!((answered.code, answered.message), (told.code, told.message));
}

/// Pays with a card whose payer must visit a page.
async fn sent_away(bench: &Bench) -> (crate::suite::bench::Asked, String) {
    let asked = bench.authorize(CardThat::AsksThePayer, PRICE, true);
    match bench.ask(&asked).await {
        Outcome::CustomerMustAct { step, .. } => (asked, step.url().expect("a page").to_owned()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_payers_result_pays_only_for_its_own_payment() {
    let bench = bench().await;
    let (cheap, page) = sent_away(&bench).await;
    let (dear, page_of_dear) = sent_away(&bench).await;
    let unreadable = Finding::Outcome(Outcome::Unknown(UnknownReason::UnreadableAnswer));
    let brought = bench.subject.decide(&page, true).await;
    for query in [brought.clone(), Some("redirectResult=forged".to_owned())] {
        assert_eq!(bench.look_up(&dear, None, query).await, unreadable);
    }
    // Strangers' results don't use up the payer's, and a second return finds the same outcome.
    let own = bench.subject.decide(&page_of_dear, true).await;
    for (asked, query) in [(&dear, &own), (&dear, &own), (&cheap, &brought)] {
        let Finding::Outcome(found) = bench.look_up(asked, None, query.clone()).await else {
            panic!("Adyen never says that there is nothing")
        };
        done_for(found, PRICE);
    }
}

#[tokio::test]
async fn no_request_without_a_payers_result() {
    let bench = bench().await;
    let (asked, _) = sent_away(&bench).await;
    let requests = bench.subject.peer().requests();
    let lost = Finding::Outcome(Outcome::Unknown(UnknownReason::ConnectionLost));
    for query in [
        None,
        Some("a=1".to_owned()),
        Some("redirectResult=".to_owned()),
    ] {
        assert_eq!(bench.look_up(&asked, None, query).await, lost);
    }
    assert_eq!(bench.subject.peer().requests(), requests);
}

#[tokio::test]
async fn a_payment_that_was_never_answered_is_cancelled_by_our_reference() {
    let bench = bench().await;
    bench.subject.peer().faults().next(Fault::LosesAnswer);
    let lost = bench.authorize(CardThat::IsApproved, PRICE, false);
    bench.ask(&lost).await;
    let authorization = Authorization {
        reference: None,
        ..lost.authorization()
    };
    let void = bench.ask(&bench.void(&authorization)).await;
    assert!(
        matches!(void, Outcome::Pending { reference: Some(_) }),
        "{void:?}"
    );
    assert_eq!(bench.books(&authorization).await.released, 6540);
    insta::assert_snapshot!(summaries(&bench).await.join("\n"), @"
    authorize by AUTHORISATION: done, amount Some(6540)
    void by TECHNICAL_CANCEL: done, amount None
    ");
}

/// A capture can name its payment only by Adyen's reference.
#[tokio::test]
async fn a_payment_without_reference_is_not_captured() {
    let bench = bench().await;
    bench.sends_nothing_without_a_reference().await;
    done(bench.finish(&bench.void(&bench.reserved().await)).await);
}
