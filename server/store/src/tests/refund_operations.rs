//! Refunds that are asked about, their dates, and the view of operators.

use multirail_app::operations::ports::OpenOperationStore;
use multirail_app::operations::ports::open_operations::{
    ClaimedOperation, OpenObject, OpenOutcomes, Room,
};
use multirail_app::payments::ports::refunds::REFUND;
use multirail_domain::payments::refund::RefundType;
use multirail_sdk::connector::{Outcome, UnknownReason};

use super::super::engine::Read;
use super::news::at;
use super::refund_story::{Refunding, Wish, wish};
use super::story::{declined, done};
use crate::fixture::TestStore;
use crate::fixture::on_both_engines;

on_both_engines! {
    a_refund_is_filed_with_its_first_commit_and_closed_with_its_last
    a_call_that_was_cut_off_is_found_when_it_must_be_over
    a_scheduled_refund_is_taken_up_by_one_server
    an_end_puts_the_next_question_off_or_closes_the_row
    a_call_that_may_be_under_way_is_not_unresolved
    what_waits_for_a_word_is_shown
    a_start_alone_asks_at_once
}

const UNKNOWN: Outcome = Outcome::Unknown(UnknownReason::Timeout);

impl TestStore {
    /// Returns reason and date in seconds of every row, in the order of their keys.
    async fn rows(&self) -> Vec<String> {
        let sql = "select object_class, object_id, connector, merchant_connector_id, reason, due_at \
             from open_operations order by processor_key";
        let rows = self
            .engine
            .fetch(Read::new(sql, Vec::new()))
            .await
            .expect("rows");
        let row = |row: &super::super::engine::Row| {
            let text = |column| row.text(column).expect("a text");
            let account = row.opt_text("merchant_connector_id").expect("a text");
            let seconds = row.int("due_at").expect("a date") / 1_000_000;
            format!(
                "{} {} at {} {}: {} at {seconds}",
                text("object_class"),
                text("object_id"),
                text("connector"),
                account.as_deref().unwrap_or("-"),
                text("reason"),
            )
        };
        rows.iter().map(row).collect()
    }

    /// Claims for 40 seconds, at the same business and wall time.
    async fn claim_due(&self, now: i64) -> Vec<ClaimedOperation> {
        let room = Room {
            free: 32,
            of_one_connector: 32,
            ..Room::default()
        };
        let claimed = self.store.claim_operations(at(now), at(now), 40, room);
        claimed.await.expect("a claim")
    }

    async fn shown(&self) -> Vec<String> {
        let shown = self
            .store
            .unresolved_operations(10, 0)
            .await
            .expect("a list");
        let outcomes = self.store.open_outcomes().await.expect("a count");
        let expected = OpenOutcomes {
            with_processor: i64::try_from(shown.len()).expect("few"),
            with_payer: 0,
        };
        assert_eq!(outcomes, expected, "the count is the list's");
        shown
            .iter()
            .map(|one| {
                assert_eq!(one.object.class, REFUND, "{one:?}");
                let refund = &one.object.id;
                let seconds = one.next_question_at.as_micros() / 1_000_000;
                format!("{refund} at {seconds}")
            })
            .collect()
    }
}

async fn a_refund_is_filed_with_its_first_commit_and_closed_with_its_last(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let brought = Wish {
        credentials: Some("mine"),
        ..wish("ref_2", 100)
    };
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    story.refund(&test, brought).await.expect("a commit");
    let filed = [
        "refund ref_1 at stripe_test mca_1: started at 140",
        "refund ref_2 at stripe_test -: started at 140",
    ];
    assert_eq!(test.rows().await, filed);
    story.learns(&test, "ref_1", 101, UNKNOWN).await;
    story
        .learns(&test, "ref_2", 101, Outcome::Pending { reference: None })
        .await;
    let filed = [
        "refund ref_1 at stripe_test mca_1: unknown at 103",
        "refund ref_2 at stripe_test -: pending at 161",
    ];
    assert_eq!(test.rows().await, filed);
    story.learns(&test, "ref_1", 104, done()).await;
    story.learns(&test, "ref_2", 104, declined()).await;
    assert_eq!(test.rows().await, [""; 0]);
}

async fn a_call_that_was_cut_off_is_found_when_it_must_be_over(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    assert_eq!(test.claim_due(139).await, []);
    let claimed = test.claim_due(140).await.remove(0);
    assert_eq!(claimed.object, OpenObject::new(REFUND, "ref_1"));
    assert_eq!(claimed.put_off_to, at(180));
    assert_eq!(test.another().claim_due(179).await, []);
    // The server that claimed it died.
    let again = test.another().claim_due(180).await.remove(0);
    assert_eq!(again.fence, 2);
    // The outcome that it learned, and the end of a claim that was lost.
    story.learns(&test, "ref_1", 181, done()).await;
    for lost in [&claimed, &again] {
        assert_eq!(test.store.end_claim(lost, Some(at(500))).await, Ok(()));
    }
    assert_eq!(test.rows().await, [""; 0]);
}

async fn a_scheduled_refund_is_taken_up_by_one_server(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let scheduled = Wish {
        refund_type: RefundType::Scheduled,
        ..wish("ref_1", 100)
    };
    story.refund(&test, scheduled).await.expect("a commit");
    let filed = ["refund ref_1 at stripe_test mca_1: scheduled at 102"];
    assert_eq!(test.rows().await, filed);
    let servers = [&test, &test.another(), &test.another()];
    let claimed = futures::future::join_all(servers.map(|server| server.claim_due(102))).await;
    assert_eq!(claimed.concat().len(), 1);
}

async fn an_end_puts_the_next_question_off_or_closes_the_row(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    story.learns(&test, "ref_1", 101, UNKNOWN).await;
    let claimed = test.claim_due(103).await.remove(0);
    assert_eq!(test.store.end_claim(&claimed, Some(at(200))).await, Ok(()));
    let filed = ["refund ref_1 at stripe_test mca_1: unknown at 200"];
    assert_eq!(test.rows().await, filed);
    assert_eq!(test.claim_due(199).await, []);
    let claimed = test.claim_due(200).await.remove(0);
    assert_eq!(test.store.end_claim(&claimed, None).await, Ok(()));
    assert_eq!(test.rows().await, [""; 0]);
}

async fn a_call_that_may_be_under_way_is_not_unresolved(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    assert_eq!(test.shown().await, [""; 0]);
    // It was cut off.
    let claimed = test.claim_due(140).await;
    assert_eq!(claimed.len(), 1);
    assert_eq!(test.shown().await, ["ref_1 at 180"]);
}

async fn what_waits_for_a_word_is_shown(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    for name in ["ref_1", "ref_2", "ref_3", "ref_4"] {
        story
            .refund(&test, wish(name, 100))
            .await
            .expect("a commit");
    }
    story
        .learns(&test, "ref_1", 101, Outcome::Pending { reference: None })
        .await;
    story.learns(&test, "ref_2", 101, UNKNOWN).await;
    let never = Outcome::turned_away("no trace");
    story.learns(&test, "ref_3", 101, never).await;
    story.learns(&test, "ref_4", 101, done()).await;
    assert_eq!(test.shown().await, ["ref_2 at 103", "ref_1 at 161"]);
    assert_eq!(
        test.rows().await.len(),
        3,
        "what may still arrive is asked about too"
    );
}

/// No other process can use the database: the calls of the earlier run are over.
async fn a_start_alone_asks_at_once(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    story
        .refund(&test, wish("ref_1", 100))
        .await
        .expect("a commit");
    story
        .refund(&test, wish("ref_2", 100))
        .await
        .expect("a commit");
    story
        .learns(&test, "ref_2", 101, Outcome::Pending { reference: None })
        .await;
    assert_eq!(test.store.take_over(at(110)).await, Ok(()));
    let claimed = test.claim_due(110).await;
    let claimed: Vec<_> = claimed.iter().map(|one| &one.object).collect();
    assert_eq!(claimed, [&OpenObject::new(REFUND, "ref_1")]);
    let claimed = test.claim_due(161).await;
    assert_eq!(claimed.len(), 2, "the lease of one has lapsed");
}
