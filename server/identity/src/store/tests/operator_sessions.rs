//! Tests of the operator's sessions at the console.

use multirail_identity_domain::OperatorSession;
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, at, changing};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    a_session_of_the_operator_is_found_until_it_ends
}

async fn a_session_of_the_operator_is_found_until_it_ends(test: TestStore) {
    let begun = |hash: &str| OperatorSession::begin(hash.to_owned(), "a key".to_owned(), at(0));
    for hash in ["one", "two"] {
        let open = UserChange::OpenOperatorSession(begun(hash));
        test.commit(vec![changing(open)]).await.expect("a commit");
        let found = test.store.operator_session(hash).await;
        assert_eq!(found, Ok(Some(begun(hash))));
    }
    // It may end twice.
    for _ in 0..2 {
        let end = UserChange::EndOperatorSession("one".to_owned());
        test.commit(vec![changing(end)]).await.expect("a commit");
    }
    assert_eq!(test.store.operator_session("one").await, Ok(None));
    assert_eq!(test.store.purge_sign_ins(at(1_799), 10).await, Ok(0));
    assert_eq!(test.store.purge_sign_ins(at(1_800), 10).await, Ok(1));
    assert_eq!(test.store.operator_session("two").await, Ok(None));
}
