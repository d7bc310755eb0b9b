//! Rate limits that are counted for all servers together.

use multirail_app::platform::ports::TryStore;
use multirail_kernel::try_limit::TryLimit;

use super::news::at;
use crate::fixture::{TestStore, on_both_engines};

on_both_engines! {
    tries_are_counted_until_there_are_too_many
}

async fn tries_are_counted_until_there_are_too_many(test: TestStore) {
    let limit = TryLimit {
        pause_seconds: 30,
        at_once: 3,
    };
    let wait = async |hash: &str, seconds| {
        let counted = test.store.count_try(hash, limit, at(seconds)).await;
        counted.expect("a commit")
    };
    for _ in 0..3 {
        assert_eq!(wait("ada", 100).await, None);
    }
    // A refused attempt isn't counted.
    assert_eq!(wait("ada", 100).await, Some(30));
    assert_eq!(wait("ada", 129).await, Some(1));
    assert_eq!(wait("grace", 129).await, None);
    assert_eq!(wait("ada", 130).await, None);
    assert_eq!(wait("ada", 130).await, Some(30));
    // After a long pause there are as many as at first, and no more.
    for _ in 0..3 {
        assert_eq!(wait("ada", 10_000).await, None);
    }
    assert_eq!(wait("ada", 10_000).await, Some(30));
    assert_eq!(test.store.purge_tries(at(10_089), 10).await, Ok(1));
    assert_eq!(test.store.purge_tries(at(10_090), 10).await, Ok(1));
}
