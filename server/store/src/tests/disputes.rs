//! Disputes in a real database of either kind, written together with their payments.

use std::sync::Arc;

use multirail_app::operations::ports::OpenOperationStore;
use multirail_app::operations::ports::open_operations::{OpenObject, Room};
use multirail_app::payments::ports::disputes::DISPUTE;
use multirail_app::payments::ports::{
    DisputeChange, DisputeSearch, DisputeStore, PaymentChange, PaymentStore,
};
use multirail_app::platform::ports::failure::duplicate;
use multirail_app::platform::ports::{Change, CommitError};
use multirail_domain::payments::dispute::{
    Command, Dispute, DisputeStage, DisputeStatus, EvidenceFile, EvidenceItem, FileBytes, FileType,
    Input, Raise, Step, transition,
};
use multirail_domain::payments::payment::Payment;
use multirail_kernel::context::{Context, FreshKeys};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId, FileId, MerchantId, ProcessorKey};
use multirail_kernel::money::Money;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::DisputeNews;

use super::super::engine::{Write, values};
use super::news::{at, shop};
use super::refund_story::Refunding;
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    a_dispute_comes_back_as_it_was
    a_processor_raises_it_once
    a_dispute_and_its_payment_change_together_or_not_at_all
    an_accept_under_way_is_asked_about_until_it_is_over
    every_condition_lets_through_what_it_names
    disputes_that_cant_be_read_are_left_out_of_lists
    a_file_stays_until_its_dispute_has_been_over_for_long
}

struct Key;

impl FreshKeys for Key {
    fn next(&self) -> ProcessorKey {
        ProcessorKey::parse("mrk_accept").expect("a key")
    }
}

fn context(seconds: i64) -> Context<'static> {
    Context {
        now: at(seconds),
        keys: &Key,
        calls_over_until: at(0),
    }
}

fn id(dispute: &str) -> DisputeId {
    DisputeId::parse(dispute).expect("an id")
}

fn account() -> ConnectorAccountId {
    ConnectorAccountId::parse("mca_1").expect("an id")
}

fn news(reference: &str, status: DisputeStatus) -> DisputeNews {
    DisputeNews {
        reference: reference.to_owned(),
        authorization_reference: None,
        authorization_key: None,
        stage: DisputeStage::Dispute,
        status,
        processor_status: status.to_string(),
        rank: 0,
        money: Money::new(4000, Currency::USD),
        reason: Some("not received".to_owned()),
        reason_code: None,
        challenge_required_by: None,
        opened_at: None,
        updated_at: None,
    }
}

/// The first notice of a dispute of this payment.
fn raise(payment: &Payment, dispute: &str, reference: &str, seconds: i64) -> Step {
    let raise = Raise {
        dispute_id: id(dispute),
        account: account(),
        attempt: 1,
    };
    let news = news(reference, DisputeStatus::Opened);
    Dispute::raise(payment, raise, news, &context(seconds)).expect("the payment was sent")
}

/// Returns the changes that the use cases commit for a step.
fn changes(payment: Payment, before: Option<Dispute>, step: Step) -> Vec<Change> {
    let after = Arc::new(step.dispute);
    let dispute = match before {
        None => DisputeChange::Insert(after),
        Some(before) => DisputeChange::Update {
            before: before.into(),
            after,
        },
    };
    let mut changes = vec![changing(dispute)];
    if step.payment != payment {
        let (before, after) = (payment.into(), step.payment.into());
        changes.push(changing(PaymentChange::Update { before, after }));
    }
    changes
}

impl TestStore {
    async fn dispute(&self, dispute: &str) -> Dispute {
        let found = self.store.dispute(&shop(), &id(dispute)).await;
        found.expect("a read").expect("a dispute")
    }

    async fn raised(&self, story: &Refunding, dispute: &str, reference: &str, seconds: i64) {
        let payment = story.payment(self).await;
        let step = raise(&payment, dispute, reference, seconds);
        let committed = self.commit(changes(payment, None, step)).await;
        committed.expect("a commit");
    }

    async fn moved(&self, story: &Refunding, dispute: &str, seconds: i64, input: Input) {
        let (payment, before) = (story.payment(self).await, self.dispute(dispute).await);
        let step = transition(&payment, &before, input, &context(seconds)).expect("a step");
        let committed = self.commit(changes(payment, Some(before), step)).await;
        committed.expect("a commit");
    }

    async fn disputes_found(&self, search: DisputeSearch) -> String {
        let search = DisputeSearch {
            limit: if search.limit == 0 { 10 } else { search.limit },
            ..search
        };
        let found = self.store.search_disputes(&shop(), &search).await;
        let found = found.expect("a list");
        let ids = found.iter().map(|(dispute, payment)| {
            assert_eq!(dispute.payment_id, payment.payment_id);
            dispute.dispute_id.as_str().trim_start_matches("dp_")
        });
        ids.collect()
    }
}

async fn a_dispute_comes_back_as_it_was(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let payment = story.payment(&test).await;
    let step = raise(&payment, "dp_1", "du_1", 100);
    let raised = Dispute {
        version: 1,
        ..step.dispute.clone()
    };
    let committed = test.commit(changes(payment, None, step)).await;
    committed.expect("a commit");
    assert_eq!(test.dispute("dp_1").await, raised);
    let payment = story.payment(&test).await;
    assert_eq!(
        (payment.held_by_disputes(), payment.refundable_amount()),
        (4000, 2540)
    );

    let lost = Input::News(Box::new(news("du_1", DisputeStatus::Lost)));
    test.moved(&story, "dp_1", 101, lost).await;
    let dispute = test.dispute("dp_1").await;
    assert_eq!((dispute.status, dispute.version), (DisputeStatus::Lost, 2));
    assert_eq!(dispute.modified_at, at(101));
    assert_eq!(story.payment(&test).await.disputed_amount(), 4000);

    let by_reference = test
        .store
        .dispute_at_processor(&shop(), &account(), "du_1")
        .await;
    assert_eq!(by_reference, Ok(Some(dispute.clone())));
    let of_payment = test.store.disputes_of(&shop(), &story.payment_id).await;
    assert_eq!(of_payment, Ok(vec![dispute]));
    let other = MerchantId::parse("flower_shop").expect("an id");
    assert_eq!(test.store.dispute(&other, &id("dp_1")).await, Ok(None));
    let elsewhere = test
        .store
        .dispute_at_processor(&other, &account(), "du_1")
        .await;
    assert_eq!(elsewhere, Ok(None));
}

/// Two servers that receive the notice at the same time store one dispute.
async fn a_processor_raises_it_once(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let other = Refunding::on_another_payment(&test, "pay_2").await;
    test.raised(&story, "dp_1", "du_1", 100).await;
    let payment = other.payment(&test).await;
    let step = raise(&payment, "dp_2", "du_1", 100);
    let answer = test.commit(changes(payment, None, step)).await;
    assert_eq!(answer, Err(CommitError::Duplicate(duplicate::DISPUTE)));
    assert!(other.payment(&test).await.disputes.is_empty());
    let found = test.store.dispute(&shop(), &id("dp_2")).await;
    assert_eq!(found, Ok(None));
}

async fn a_dispute_and_its_payment_change_together_or_not_at_all(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    let old = story.payment(&test).await;
    test.raised(&story, "dp_1", "du_1", 100).await;
    let step = raise(&old, "dp_2", "du_2", 101);
    let answer = test.commit(changes(old, None, step)).await;
    assert_eq!(answer, Err(CommitError::Conflict));
    let of_payment = test.store.disputes_of(&shop(), &story.payment_id).await;
    let of_payment = of_payment.expect("a list");
    assert!(story.payment(&test).await.agrees_with_disputes(&of_payment));
    assert_eq!(of_payment.len(), 1);
}

async fn an_accept_under_way_is_asked_about_until_it_is_over(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    test.raised(&story, "dp_1", "du_1", 100).await;
    let accept = Input::Command(Command::Accept);
    test.moved(&story, "dp_1", 101, accept).await;
    let room = || Room {
        free: 10,
        of_one_connector: 10,
        ..Room::default()
    };
    let claim = |seconds| {
        test.store
            .claim_operations(at(seconds), at(seconds), 60, room())
    };
    let claimed = claim(10_000).await.expect("claims");
    let objects: Vec<_> = claimed.iter().map(|one| one.object.clone()).collect();
    assert_eq!(objects, [OpenObject::new(DISPUTE, "dp_1")]);
    let held = test.store.payments_held_or_open(&shop(), None, 10).await;
    let held: Vec<_> = held.expect("a list").into_iter().collect();
    assert_eq!(held.len(), 1, "what keeps the merchant account");

    let lost = Input::News(Box::new(news("du_1", DisputeStatus::Lost)));
    test.moved(&story, "dp_1", 10_001, lost).await;
    assert_eq!(test.dispute("dp_1").await.status, DisputeStatus::Accepted);
    assert_eq!(claim(20_000).await, Ok(vec![]));
}

async fn every_condition_lets_through_what_it_names(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    for (seconds, number) in [(100, 1), (101, 2), (102, 3)] {
        let (dispute, reference) = (format!("dp_{number}"), format!("du_{number}"));
        test.raised(&story, &dispute, &reference, seconds).await;
    }
    let beside = Refunding::on_another_payment(&test, "pay_2").await;
    test.raised(&beside, "dp_4", "du_4", 103).await;
    let moved = "update disputes set profile_id = 'pro_2', connector = 'fauxpay', merchant_connector_id = 'mca_2', \
         currency = 'EUR', status = 'dispute_won', stage = 'arbitration', reason = 'fraud' where dispute_id = $1";
    test.insert(Write::new(moved, values!["dp_2"])).await;
    let all = DisputeSearch::default;
    let words = |word: &str| vec![word.to_owned()];
    let cases = [
        (all(), "4321"),
        (
            DisputeSearch {
                limit: 2,
                offset: 1,
                ..all()
            },
            "32",
        ),
        (
            DisputeSearch {
                dispute_id: Some(id("dp_3")),
                ..all()
            },
            "3",
        ),
        (
            DisputeSearch {
                payment_id: Some(beside.payment_id.clone()),
                ..all()
            },
            "4",
        ),
        (
            DisputeSearch {
                profile_id: Some("pro_2".to_owned()),
                ..all()
            },
            "2",
        ),
        (
            DisputeSearch {
                merchant_connector_id: Some("mca_1".to_owned()),
                ..all()
            },
            "431",
        ),
        (
            DisputeSearch {
                stages: words("arbitration"),
                ..all()
            },
            "2",
        ),
        (
            DisputeSearch {
                statuses: words("dispute_opened"),
                ..all()
            },
            "431",
        ),
        (
            DisputeSearch {
                currencies: words("EUR"),
                ..all()
            },
            "2",
        ),
        (
            DisputeSearch {
                connectors: words("fauxpay"),
                ..all()
            },
            "2",
        ),
        (
            DisputeSearch {
                reason: Some("fraud".to_owned()),
                ..all()
            },
            "2",
        ),
        (
            DisputeSearch {
                created_from: Some(at(102)),
                ..all()
            },
            "43",
        ),
        (
            DisputeSearch {
                created_after: Some(at(102)),
                ..all()
            },
            "4",
        ),
        (
            DisputeSearch {
                created_until: Some(at(101)),
                ..all()
            },
            "21",
        ),
        (
            DisputeSearch {
                created_before: Some(at(101)),
                ..all()
            },
            "1",
        ),
    ];
    for (search, expected) in cases {
        let found = test.disputes_found(search.clone()).await;
        assert_eq!(found, expected, "{search:?}");
    }
}

async fn disputes_that_cant_be_read_are_left_out_of_lists(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    test.raised(&story, "dp_1", "du_1", 100).await;
    test.raised(&story, "dp_2", "du_2", 101).await;
    let damaged = "update disputes set record = '{}' where dispute_id = $1";
    test.insert(Write::new(damaged, values!["dp_1"])).await;
    assert_eq!(test.disputes_found(DisputeSearch::default()).await, "2");
    let of_payment = test.store.disputes_of(&shop(), &story.payment_id).await;
    assert_eq!(of_payment.map(|all| all.len()), Ok(1));
    assert!(test.store.dispute(&shop(), &id("dp_1")).await.is_err());
}

async fn a_file_stays_until_its_dispute_has_been_over_for_long(test: TestStore) {
    let story = Refunding::begin(&test, "pay_1").await;
    test.raised(&story, "dp_1", "du_1", 100).await;
    let file_id = FileId::parse("file_1").expect("an id");
    let bytes = FileBytes::new(b"%PDF-1.7 \xff\x00");
    let file = EvidenceFile {
        item: EvidenceItem::Receipt,
        file_id: file_id.clone(),
        file_type: FileType::Pdf,
        bytes: 11,
        attached_at: at(100),
        unread: UnreadMembers::default(),
    };
    let attach = Input::Command(Command::Attach { file });
    test.moved(&story, "dp_1", 101, attach).await;
    let keep = DisputeChange::KeepFile {
        merchant_id: shop(),
        file_id: file_id.clone(),
        bytes: bytes.clone(),
    };
    test.commit(vec![changing(keep)]).await.expect("a commit");
    let kept = async || test.store.evidence_file(&shop(), &file_id).await;
    assert_eq!(kept().await, Ok(Some(bytes)));
    let other = MerchantId::parse("flower_shop").expect("an id");
    assert_eq!(test.store.evidence_file(&other, &file_id).await, Ok(None));

    let old = async |before| {
        let old = test.store.disputes_with_old_evidence(at(before), 10).await;
        old.expect("a list").len()
    };
    assert_eq!(old(1_000).await, 0, "it is open");
    let won = Input::News(Box::new(news("du_1", DisputeStatus::Won)));
    test.moved(&story, "dp_1", 200, won).await;
    assert_eq!((old(200).await, old(201).await), (0, 1));
    test.moved(&story, "dp_1", 300, Input::Command(Command::Forget))
        .await;
    assert_eq!(old(1_000).await, 0);
    let delete = || DisputeChange::DeleteFile {
        merchant_id: shop(),
        file_id: file_id.clone(),
    };
    for _ in 0..2 {
        test.commit(vec![changing(delete())])
            .await
            .expect("a commit");
        assert_eq!(kept().await, Ok(None));
    }
}
