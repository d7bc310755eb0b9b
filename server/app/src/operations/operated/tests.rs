//! Sync, notices and the operators' list, over one fake kind of object.

mod bench;

use multirail_domain::operations::received_notice::NoticeStatus;
use multirail_kernel::ids::{ConnectorAccountId, NoticeId};
use multirail_sdk::connector::RawNotice;

use super::super::operation_sync::OperationSync;
use super::super::unresolved::UnresolvedOperations;
use super::*;
use crate::fixture::operator;
use crate::operations::ports::notices::ClaimedNotice;
use crate::operations::ports::open_operations::{ClaimedOperation, OpenObject};

use bench::*;

#[test]
fn a_start_names_a_class_that_is_missing_unknown_or_doubled() {
    let of = |class| -> Arc<dyn OperatedObject> {
        Arc::new(Post {
            class: Some(class),
            ..Post::default()
        })
    };
    let refused = |classes: &[ObjectClass]| {
        let objects = classes.iter().copied().map(of).collect();
        OperatedObjects::new(objects, &[PARCEL, LETTER]).err()
    };
    assert_eq!(refused(&[LETTER, PARCEL]), None);
    let missing = refused(&[PARCEL]).expect("refused");
    assert_eq!(missing, "nothing knows the stored operations of a letter");
    for others in [
        &[PARCEL, LETTER, PARCEL],
        &[PARCEL, LETTER, ObjectClass::new("crate")],
    ] {
        let why = refused(others).expect("refused");
        assert!(
            why.contains("no class of stored operations, or is registered twice"),
            "{why}"
        );
    }
}

#[tokio::test]
async fn a_claimed_question_that_failed_is_due_again() {
    let office = Office::new(&[], None);
    let sync = OperationSync {
        base: Arc::clone(&office.base),
        store: office.desk.clone(),
        objects: Arc::clone(&office.objects),
    };
    let claimed = |id: &str| ClaimedOperation {
        processor_key: key(),
        merchant_id: bookshop(),
        object: OpenObject::new(PARCEL, id),
        connector: "fauxpay".to_owned(),
        fence: 1,
        put_off_to: Timestamp::EPOCH,
    };
    sync.ask(&operator(), &claimed("whole"))
        .await
        .expect("asked");
    let failed = sync.ask(&operator(), &claimed("torn")).await;
    assert_eq!(failed.expect_err("a failure").to_string(), "broken: torn");
    let expected = ["whole again in Some(60)", "torn again in Some(60)"];
    assert_eq!(office.desk.lines(), expected);
    let unknown = ClaimedOperation {
        object: OpenObject::new(LETTER, "whole"),
        ..claimed("whole")
    };
    let unknown = sync.ask(&operator(), &unknown).await;
    assert!(unknown.is_err(), "its claim stays until the lease ends");
    assert_eq!(office.desk.lines(), expected);
}

#[tokio::test]
async fn an_unresolved_object_that_cant_be_read_hides_no_other() {
    let office = Office::new(&["torn", "whole"], None);
    let operations = UnresolvedOperations {
        store: office.desk.clone(),
        objects: Arc::clone(&office.objects),
    };
    let listed = operations.list(None, None).await.expect("a list");
    assert!(listed.is_empty(), "the answer of the other one is stored");
    assert_eq!(office.heard(), ["whole"], "it was looked at");
    assert!(operations.list(Some(101), None).await.is_err());
}

#[tokio::test]
async fn a_notice_about_an_unknown_key_changes_nothing() {
    let office = Office::new(&[], Some(ToldOf::Hint(key())));
    assert_eq!(office.hears().await, (Heard::Unmatched, None));
    assert_eq!(office.heard(), [""; 0]);
}

#[tokio::test]
async fn a_notice_reaches_the_object_that_has_the_operation() {
    let office = Office::new(&["whole"], Some(ToldOf::Hint(key())));
    let applied = (Heard::Applied, Some("whole".to_owned()));
    assert_eq!(office.hears().await, applied);
    assert_eq!(office.heard(), ["whole"]);
    let other = Office::new(&["whole"], Some(ToldOf::AnotherAccount));
    assert_eq!(other.hears().await, (Heard::Unmatched, None));
    assert_eq!(other.heard(), [""; 0], "another account has no say");
}

#[tokio::test]
async fn a_notice_that_cant_be_worked_on_waits_for_its_next_try() {
    let office = Office::new(&[], None);
    let claimed = ClaimedNotice {
        notice_id: NoticeId::generate(office.base.clock.wall(), office.base.random.as_ref()),
        merchant_id: bookshop(),
        merchant_connector_id: ConnectorAccountId::generate(office.base.random.as_ref()),
        connector: "removed".to_owned(),
        content: RawNotice {
            headers: Vec::new(),
            body: Vec::new(),
        },
        received_at: office.base.now(),
        fence: 1,
        put_off_to: Timestamp::EPOCH,
    };
    let worked = office.notices().work_on(&operator(), &claimed).await;
    assert!(worked.is_err(), "no server here has the connector");
    let waits = format!("{:?}", NoticeStatus::Waiting);
    assert_eq!(office.desk.lines(), [waits]);
}
