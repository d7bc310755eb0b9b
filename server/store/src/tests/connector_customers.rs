//! The processors' references of customers, and the claims of deletions there.

use multirail_app::customers::ports::connector_customers::{
    ClaimedDeletion, ConnectorCustomerStore,
};
use multirail_app::customers::ports::{CustomerChange, CustomerStore, SavedMethodChange};
use multirail_app::platform::ports::Change;
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_kernel::ids::{ConnectorAccountId, CustomerId};
use multirail_sdk::connector::KeptAtProcessor;

use super::super::engine::Dialect;
use super::news::{at, shop};
use crate::fixture::on_both_engines;
use crate::fixture::{TestStore, changing};

on_both_engines! {
    the_first_id_of_a_customer_stays
    a_redacted_customer_is_deleted_at_processors_by_one_server
}

fn ada() -> CustomerId {
    CustomerId::parse("ada").expect("an id")
}

fn account(id: &str) -> ConnectorAccountId {
    ConnectorAccountId::parse(id).expect("an id")
}

fn keeps(id: &str) -> Change {
    let keep = SavedMethodChange::KeepConnectorCustomer {
        merchant_id: shop(),
        customer_id: ada(),
        merchant_connector_id: account("mca_1"),
        connector_customer_id: id.to_owned(),
    };
    changing(keep)
}

impl TestStore {
    async fn knows_ada(&self) {
        let ada = Customer::create(shop(), ada(), Personal::default(), at(1));
        let insert = vec![changing(CustomerChange::Insert(ada))];
        self.commit(insert).await.expect("a commit");
    }

    async fn ada_at(&self, id: &str) -> Option<String> {
        let read = self
            .store
            .connector_customer(&shop(), &ada(), &account(id))
            .await;
        read.expect("a read")
    }
}

async fn the_first_id_of_a_customer_stays(test: TestStore) {
    test.commit(vec![keeps("cus_of_nobody")])
        .await
        .expect("a commit");
    assert_eq!(
        test.ada_at("mca_1").await,
        None,
        "there is no such customer"
    );
    test.knows_ada().await;
    for id in ["cus_1", "cus_2"] {
        test.commit(vec![keeps(id)]).await.expect("a commit");
    }
    assert_eq!(test.ada_at("mca_1").await.as_deref(), Some("cus_1"));
    assert_eq!(test.ada_at("mca_2").await, None);
    let forget = |id: &str| {
        let forget = SavedMethodChange::ForgetConnectorCustomer {
            merchant_id: shop(),
            customer_id: ada(),
            merchant_connector_id: account("mca_1"),
            connector_customer_id: id.to_owned(),
        };
        vec![changing(forget)]
    };
    test.commit(forget("cus_2")).await.expect("a commit");
    assert_eq!(test.ada_at("mca_1").await.as_deref(), Some("cus_1"));
    test.commit(forget("cus_1")).await.expect("a commit");
    assert_eq!(test.ada_at("mca_1").await, None);
}

async fn a_redacted_customer_is_deleted_at_processors_by_one_server(test: TestStore) {
    test.knows_ada().await;
    test.commit(vec![keeps("cus_1")]).await.expect("a commit");
    let known = test.store.customer(&shop(), &ada()).await;
    let known = known.expect("a read").expect("a customer");
    let redacted = known.redact(at(5)).expect("a redaction");
    test.commit(vec![changing(CustomerChange::Redact(redacted))])
        .await
        .expect("a commit");
    assert_eq!(test.ada_at("mca_1").await, None);
    let claim = async |wall: i64, until: i64| {
        let now = at(1_000_000_000);
        let claimed = test
            .store
            .claim_connector_deletion(now, at(wall), at(until));
        claimed.await.expect("a claim")
    };
    let first = claim(100, 110).await.expect("a claim");
    let expected = ClaimedDeletion {
        merchant_id: shop(),
        merchant_connector_id: account("mca_1"),
        kept: KeptAtProcessor::Customer {
            id: "cus_1".to_owned(),
        },
        tries: 0,
        fence: 1,
    };
    assert_eq!(first, expected);
    assert_eq!(claim(109, 120).await, None, "the other one is at it");
    let put_off = test.store.put_off_connector_deletion(&first, at(7));
    put_off.await.expect("it is put off");
    let second = claim(109, 120).await.expect("a claim");
    assert_eq!((second.tries, second.fence), (1, 2));
    let end = test.store.end_connector_deletion(&first);
    end.await.expect("the slow one ends nothing");
    // A new start that no other server can be part of.
    if test.engine.dialect() == Dialect::Sqlite {
        assert_eq!(test.store.take_over(at(8)).await, Ok(()));
        assert_eq!(claim(110, 140).await.map(|one| one.fence), Some(3));
    }
    let last = claim(200, 210).await.expect("a claim");
    let end = test.store.end_connector_deletion(&last);
    end.await.expect("an end");
    assert_eq!(claim(999, 1_000).await, None);
}
