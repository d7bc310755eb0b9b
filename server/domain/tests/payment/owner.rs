//! Payments that belong to an object of another subject.

use multirail_domain::payments::payment::{Changes, Command, Input, Owner, OwnerKind, Payment};
use multirail_kernel::ids::OwnerId;
use serde_json::json;

use crate::create::bare;
use crate::support::story::{Story, refused};
use crate::support::{create_input, start};

fn owned() -> Payment {
    let mut create = create_input(bare());
    create.owner = Some(Owner {
        kind: OwnerKind::Subscription,
        id: OwnerId::parse("sub_1").expect("an id"),
    });
    Payment::create(create, start()).expect("made").payment
}

#[test]
fn a_record_names_the_owner_as_ever() {
    let payment = owned();
    let mut record = serde_json::to_value(payment.record()).expect("JSON");
    assert_eq!(record["subscription_id"], json!("sub_1"));
    let read: Payment = serde_json::from_value(record.clone()).expect("a payment");
    assert_eq!(read.owner, payment.owner);
    assert_eq!(read.unread, payment.unread);
    let members = record.as_object_mut().expect("an object");
    members.remove("subscription_id");
    let read: Payment = serde_json::from_value(record.clone()).expect("a payment");
    assert_eq!(read.owner, None);
    assert_eq!(serde_json::to_value(read.record()).expect("JSON"), record);
}

#[test]
fn the_owner_alone_confirms_and_changes_its_payment() {
    let mut story = Story::create(bare());
    story.payment.owner = owned().owner;
    let confirm = story.confirm_command(Changes::default());
    for command in [confirm, Command::Update(Box::default())] {
        let refusal = story
            .try_input(Input::Command(command))
            .expect_err("refused");
        assert!(
            refused(&refusal).contains("belongs to the subscription sub_1"),
            "{refusal}"
        );
    }
}
