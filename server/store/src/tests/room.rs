//! The limit of saved methods for a customer holds for payments that save at the same time.

use multirail_app::customers::ports::saved_methods::SavedMethodStore;
use multirail_app::customers::ports::{CustomerStore, SavedMethodChange};
use multirail_app::platform::ports::{Change, CommitError};

use super::news::shop;
use super::payers::ada;
use super::saved_methods::method;
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    no_more_are_saved_than_there_is_room_for
    who_saves_at_the_same_time_waits_and_counts
}

fn saves(digit: u8, room: i64) -> Vec<Change> {
    let (method, entry) = method("ada", digit, None);
    let insert = SavedMethodChange::Insert {
        method: Box::new(method),
        room,
        entry: Some(entry),
    };
    vec![changing(insert)]
}

async fn count(test: &TestStore) -> usize {
    let list = test.store.saved_methods_of(&shop(), &ada(), 10).await;
    list.expect("a read").expect("a customer").1.len()
}

async fn no_more_are_saved_than_there_is_room_for(test: TestStore) {
    test.know(&["ada"]).await;
    for digit in [1, 2] {
        assert_eq!(test.commit(saves(digit, 2)).await, Ok(()));
    }
    assert_eq!(test.commit(saves(3, 2)).await, Err(CommitError::Conflict));
    assert_eq!(count(&test).await, 2);
    let first = method("ada", 1, None).0.payment_method_id;
    let stored = test.store.customer(&shop(), &ada()).await;
    let stored = stored.expect("a read").expect("Ada");
    assert_eq!(
        stored.default_payment_method_id,
        Some(first),
        "the first one stays it"
    );
}

async fn who_saves_at_the_same_time_waits_and_counts(test: TestStore) {
    test.know(&["ada"]).await;
    let other = test.another();
    for digits in [[1, 2], [3, 4], [5, 6]] {
        let before = count(&test).await;
        let room = i64::try_from(before + 1).expect("a number");
        let [one, two] = digits.map(|digit| saves(digit, room));
        let (one, two) = tokio::join!(test.commit(one), other.commit(two));
        assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
        assert_eq!(count(&test).await, before + 1);
    }
}
