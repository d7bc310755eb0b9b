//! The inbox of notices: recorded once, worked on by one server at a time, matched by our reference or the processor's.

use multirail_app::operations::ports::NoticeStore;
use multirail_app::operations::ports::notices::{
    ClaimedNotice, Filed, NewNotice, NoticeSearch, NoticeWork,
};
use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::payments::ports::PAYMENT;
use multirail_domain::operations::received_notice::NoticeStatus;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId, NoticeId, ProcessorKey};
use multirail_sdk::connector::{About, OperationKind, RawNotice};

use super::super::engine::Read;
use super::news::at;
use super::story::{Story, done};
use crate::fixture::on_both_engines;
use crate::fixture::{Mirror, TestStore};

on_both_engines! {
    what_comes_again_is_counted
    one_of_two_servers_works_on_a_notice
    a_replay_that_comes_during_the_work_is_not_lost
    what_is_finished_is_purged_in_its_time
    content_rests_sealed_for_its_row
    an_operation_is_found_by_our_key_and_by_the_processors
}

fn notice(id: &str, body: &str, seconds: i64) -> NewNotice {
    NewNotice {
        notice_id: NoticeId::parse(id).expect("an id"),
        merchant_id: MerchantId::parse("bookshop").expect("an id"),
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        connector: "fauxpay".to_owned(),
        body_hash: format!("hash of {body}"),
        content: RawNotice {
            headers: Vec::new(),
            body: body.into(),
        },
        received_at: at(seconds),
    }
}

fn work(status: NoticeStatus, next: Option<i64>) -> NoticeWork {
    NoticeWork {
        status,
        kinds: vec!["capture.done".to_owned()],
        objects: Vec::new(),
        next_try_at: next.map(at),
    }
}

impl TestStore {
    /// Claims for 40 seconds, at the same business and wall time.
    async fn takes_up(&self, now: i64) -> Vec<ClaimedNotice> {
        let claimed = self.store.claim_notices(at(now), at(now), 40, 16);
        claimed.await.expect("a claim")
    }

    async fn ends(&self, claimed: &ClaimedNotice, work: NoticeWork) {
        let ended = self.store.end_notice(claimed, &work).await;
        assert_eq!(ended, Ok(()));
    }

    async fn inbox(&self) -> Vec<String> {
        let search = NoticeSearch {
            limit: 10,
            ..NoticeSearch::default()
        };
        let all = self.store.notices(&search).await.expect("a list");
        let told = all.iter().map(|one| {
            let next = one.next_try_at.map(|next| next.seconds_since(at(0)));
            format!("{} {} {} {next:?}", one.notice_id, one.status, one.receipts)
        });
        told.collect()
    }
}

async fn what_comes_again_is_counted(test: TestStore) {
    let file = |id, body, seconds| {
        let (store, notice) = (&test.store, notice(id, body, seconds));
        async move { store.file_notice(&notice).await }
    };
    assert_eq!(file("ntc_1", "a", 1).await, Ok(Filed::New));
    assert_eq!(file("ntc_2", "a", 2).await, Ok(Filed::Again));
    assert_eq!(file("ntc_3", "b", 3).await, Ok(Filed::New));
    assert_eq!(
        test.inbox().await,
        ["ntc_3 waiting 1 Some(3)", "ntc_1 waiting 2 Some(1)"]
    );
    for claimed in test.takes_up(4).await {
        let status = match claimed.content.body.as_slice() {
            b"a" => NoticeStatus::Unmatched,
            _ => NoticeStatus::Applied,
        };
        test.ends(&claimed, work(status, None)).await;
    }
    // A notice that matched nothing may match now; an applied one stays applied.
    assert_eq!(file("ntc_4", "a", 5).await, Ok(Filed::Again));
    assert_eq!(file("ntc_5", "b", 5).await, Ok(Filed::Again));
    assert_eq!(
        test.inbox().await,
        ["ntc_3 applied 2 None", "ntc_1 waiting 3 Some(5)"]
    );
}

async fn one_of_two_servers_works_on_a_notice(test: TestStore) {
    let other = test.another();
    test.store
        .file_notice(&notice("ntc_1", "a", 10))
        .await
        .expect("filed");
    assert_eq!(test.takes_up(9).await.len(), 0, "not yet due");
    let first = test.takes_up(10).await.remove(0);
    assert_eq!(first.content, notice("ntc_1", "a", 10).content);
    assert_eq!(other.takes_up(49).await.len(), 0, "the lease holds");
    let second = other.takes_up(50).await.remove(0);
    assert_eq!((first.fence, second.fence), (1, 2));
    // The server that lost the notice writes nothing.
    test.ends(&first, work(NoticeStatus::Ignored, None)).await;
    other.ends(&second, work(NoticeStatus::Applied, None)).await;
    assert_eq!(test.inbox().await, ["ntc_1 applied 1 None"]);
}

async fn a_replay_that_comes_during_the_work_is_not_lost(test: TestStore) {
    test.store
        .file_notice(&notice("ntc_1", "a", 10))
        .await
        .expect("filed");
    let claimed = test.takes_up(10).await.remove(0);
    assert_eq!(
        test.store.replay_notice(&claimed.notice_id, at(11)).await,
        Ok(true)
    );
    test.ends(&claimed, work(NoticeStatus::Ignored, None)).await;
    assert_eq!(test.inbox().await, ["ntc_1 ignored 1 Some(11)"]);
    assert_eq!(test.takes_up(11).await.len(), 1);
    let nobody = NoticeId::parse("ntc_2").expect("an id");
    assert_eq!(test.store.replay_notice(&nobody, at(11)).await, Ok(false));
}

async fn what_is_finished_is_purged_in_its_time(test: TestStore) {
    for (id, body) in [("ntc_1", "a"), ("ntc_2", "b")] {
        test.store
            .file_notice(&notice(id, body, 10))
            .await
            .expect("filed");
    }
    let claimed = test.takes_up(10).await.remove(0);
    test.ends(&claimed, work(NoticeStatus::Ignored, None)).await;
    assert_eq!(test.store.purge_notices(at(10), 5).await, Ok(0));
    assert_eq!(test.store.purge_notices(at(11), 5).await, Ok(1));
    assert_eq!(test.inbox().await.len(), 1, "what waits stays");
    assert_eq!(test.store.waiting_notices().await, Ok(1));
    // A notice that has matched nothing for a day ends too, and a portion is no larger than asked for.
    let ends = [
        ("ntc_3", NoticeStatus::Unmatched),
        ("ntc_4", NoticeStatus::Contradicted),
        ("ntc_5", NoticeStatus::Unreadable),
    ];
    for (id, status) in ends {
        let filed = test.store.file_notice(&notice(id, id, 12)).await;
        filed.expect("filed");
        for claimed in test.takes_up(12).await {
            test.ends(&claimed, work(status, None)).await;
        }
    }
    assert_eq!(test.store.purge_notices(at(13), 2).await, Ok(2));
    assert_eq!(
        test.inbox().await,
        ["ntc_5 unreadable 1 None", "ntc_2 waiting 1 Some(50)"]
    );
    assert_eq!(test.store.purge_notices(at(13), 2).await, Ok(1));
    assert_eq!(test.store.purge_notices(at(13), 2).await, Ok(0));
}

async fn content_rests_sealed_for_its_row(test: TestStore) {
    test.store
        .file_notice(&notice("ntc_1", "Ada", 10))
        .await
        .expect("filed");
    let rows = test
        .engine
        .fetch(Read::new("select content from notices", Vec::new()));
    let sealed = rows.await.expect("a row")[0]
        .bytes("content")
        .expect("bytes");
    assert_eq!(Mirror::place_of(&sealed), "notices:ntc_1");
}

async fn an_operation_is_found_by_our_key_and_by_the_processors(test: TestStore) {
    let profile = test.merchant("bookshop").await.profiles.remove(0);
    let mut story = Story::begin(&test, "pay_1", &profile).await;
    story.confirm(&test).await;
    let key = ProcessorKey::parse("mrk_pay_1_1").expect("an id");
    let merchant_id = profile.merchant_id.clone();
    let about = |key: Option<&ProcessorKey>, reference: Option<&str>| About {
        kind: OperationKind::Authorize,
        key: key.cloned(),
        reference: reference.map(str::to_owned),
        authorization_reference: None,
        authorization_key: None,
    };
    let find = |merchant_id: MerchantId, about: About| {
        let store = &test.store;
        async move {
            store
                .objects_of_notice(&merchant_id, &about)
                .await
                .expect("a look")
        }
    };
    let payment = [OpenObject::new(PAYMENT, story.payment_id.as_str())];
    assert_eq!(
        find(merchant_id.clone(), about(Some(&key), None)).await,
        payment
    );
    let unknown = about(None, Some("ref_1"));
    assert_eq!(
        find(merchant_id.clone(), unknown.clone()).await,
        [],
        "no answer yet"
    );
    story.learns(&test, done()).await;
    assert_eq!(find(merchant_id.clone(), unknown.clone()).await, payment);
    let other = MerchantId::parse("kiosk").expect("an id");
    assert_eq!(find(other.clone(), unknown).await, []);
    assert_eq!(find(other, about(Some(&key), None)).await, []);
}
