use multirail_peers::StandIn;
use multirail_peers::stripe::Failure;
use multirail_sdk::connector::{
    DeleteKeptRequest, KeepCustomerRequest, KeptAtProcessor, UnknownReason,
};

use super::bench::Bench;
use crate::suite::peer::Fault;
use crate::suite::subject::Subject;

const ADA: &str = "ada@shopper.example";

/// Requests the customer of a payer with this e-mail.
async fn ask(bench: &Bench, customer: &str, email: Option<&str>) -> Result<String, UnknownReason> {
    let request = KeepCustomerRequest {
        access: bench.access.clone(),
        account: "mca_1".to_owned(),
        customer_id: customer.to_owned(),
        name: Some("Ada Reader".to_owned()),
        email: email.map(str::to_owned),
        phone: None,
        instead_of: None,
        now: bench.subject.now(),
    };
    let keeps = bench.connector.able(|able| able.keeps_customers);
    keeps.expect("it keeps").keep_customer(request).await
}

fn fail(bench: &Bench, failures: &[Failure]) {
    for failure in failures {
        bench.peer(|peer| peer.fails_to_make_customer(*failure));
    }
}

fn lose(bench: &Bench, requests: usize) {
    for _ in 0..requests {
        bench.subject.peer().faults().next(Fault::LosesRequest);
    }
}

/// The request is repeated until Stripe answers, and creates one customer.
#[tokio::test]
async fn a_customer_is_made_once_however_often_it_is_asked_for() {
    let bench = Bench::new().await;
    bench.lose_the_next_answer();
    let ada = ask(&bench, "ada", Some(ADA)).await.expect("a customer");
    assert_eq!(ask(&bench, "ada", Some(ADA)).await.as_ref(), Ok(&ada));
    bench.subject.peer().faults().next(Fault::Gateway(503));
    let ben = ask(&bench, "ben", Some(ADA)).await.expect("a customer");
    assert_ne!(ada, ben);
    bench.subject.peer().faults().next(Fault::GatewayAfter(503));
    let carol = ask(&bench, "carol", Some(ADA)).await.expect("a customer");
    assert_ne!(ben, carol);
    let customers = bench.subject.stand_in.customers();
    let reader = ("Ada Reader".to_owned(), ADA.to_owned());
    assert_eq!(customers, [reader.clone(), reader.clone(), reader]);
    lose(&bench, 6);
    let lost = ask(&bench, "dora", Some(ADA)).await;
    assert_eq!(lost, Err(UnknownReason::ConnectionLost));
}

/// Other customers have the same e-mail or none, so only the mark identifies the created one.
#[tokio::test]
async fn a_customer_is_looked_for_before_another_one_is_asked_for() {
    let mut rows = Vec::new();
    for (what, failures) in [
        ("after it", &[Failure::AfterIt][..]),
        ("before it", &[Failure::BeforeIt]),
        (
            "before, then after it",
            &[Failure::BeforeIt, Failure::AfterIt],
        ),
    ] {
        for email in [Some(ADA), None] {
            let bench = Bench::new().await;
            ask(&bench, "ben", email).await.expect("a customer");
            bench.seen();
            fail(&bench, failures);
            let ada = ask(&bench, "ada", email).await.expect("a customer");
            assert_eq!(ask(&bench, "ada", email).await, Ok(ada));
            let made = bench.subject.stand_in.customers().len() - 1;
            let seen = bench.seen();
            // A digest stands between the first word and the number of the key.
            let seen = seen.lines().map(|line| {
                let (first, last) = line.split_once("_").map_or((line, ""), |(first, rest)| {
                    (first, rest.rsplit('_').next().unwrap_or_default())
                });
                format!("  {first} {last}").trim_end().to_owned()
            });
            let seen = seen.collect::<Vec<_>>().join("\n");
            rows.push(format!("failed {what}, {email:?}: {made} made\n{seen}"));
        }
    }
    insta::assert_snapshot!(rows.join("\n"), @r#"
    failed after it, Some("ada@shopper.example"): 1 made
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
    failed after it, None: 1 made
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
    failed before it, Some("ada@shopper.example"): 1 made
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 1
      POST /v1/customers customer 0
      GET /v1/customers
    failed before it, None: 1 made
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 1
      POST /v1/customers customer 0
      GET /v1/customers
    failed before, then after it, Some("ada@shopper.example"): 1 made
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 1
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
    failed before, then after it, None: 1 made
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
      POST /v1/customers customer 1
      GET /v1/customers
      POST /v1/customers customer 0
      GET /v1/customers
    "#);
}

/// The first call ends before it finds out. A later call finds the customer, even with changed
/// details.
#[tokio::test]
async fn a_later_call_finds_the_customer_that_an_earlier_one_made() {
    for failure in [Failure::AfterIt, Failure::BeforeIt] {
        for (first, later) in [
            (Some(ADA), Some(ADA)),
            (None, None),
            (Some(ADA), None),
            (None, Some(ADA)),
            (Some(ADA), Some("ada@another.example")),
        ] {
            let bench = Bench::new().await;
            fail(&bench, &[failure]);
            for _ in 0..2 {
                bench.subject.peer().faults().next(Fault::AnswersAndLeaves);
                // The list isn't answered.
                bench.subject.peer().faults().next(Fault::Gateway(502));
                let failed = ask(&bench, "ada", first).await;
                assert_eq!(failed, Err(UnknownReason::ProcessorError));
            }
            let ada = ask(&bench, "ada", later).await.expect("a customer");
            assert_eq!(ask(&bench, "ada", later).await, Ok(ada));
            let made = bench.subject.stand_in.customers();
            assert_eq!(made.len(), 1, "{failure:?} {first:?} {later:?} {made:?}");
        }
    }
}

/// Deleting a customer who doesn't exist any more is no failure.
#[tokio::test]
async fn a_customer_is_deleted_once_and_for_all() {
    let bench = Bench::new().await;
    let ada = ask(&bench, "ada", Some(ADA)).await.expect("a customer");
    let deletes = bench.connector.able(|able| able.deletes_stored);
    let deletes = deletes.expect("it deletes");
    for _ in 0..2 {
        let request = DeleteKeptRequest {
            access: bench.access.clone(),
            kept: KeptAtProcessor::Customer { id: ada.clone() },
        };
        assert_eq!(deletes.delete_stored(request).await, Ok(()));
        assert_eq!(bench.subject.stand_in.customers(), []);
    }
}
