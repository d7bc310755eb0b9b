//! A value in every sealed column, and the place that it is sealed for.

use multirail_app::accounts::ports::ConnectorAccountChange;
use multirail_app::customers::ports::vault::VaultEntry;
use multirail_app::customers::ports::{CustomerChange, SavedMethodChange};
use multirail_app::operations::ports::NoticeStore;
use multirail_app::operations::ports::notices::NewNotice;
use multirail_app::payments::ports::{DisputeChange, HeldChange, RefundChange};
use multirail_app::platform::ports::idempotency::{Answer, KeyClaim};
use multirail_app::platform::ports::{Change, IdempotencyChange, Seal};
use multirail_domain::customers::customer::{Customer, Personal};
use multirail_domain::payments::dispute::FileBytes;
use multirail_domain::webhooks::webhook::AfterTry;
use multirail_domain::webhooks::webhook::event_body;
use multirail_kernel::idempotency::Fingerprint;
use multirail_kernel::ids::{
    ConnectorAccountId, CustomerId, FileId, NoticeId, PaymentId, RefundId,
};
use multirail_kernel::secret::SecretText;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::RawNotice;

use super::super::engine::{Write, values};
use super::news::{a_try, at, endpoint, news, shop};
use super::records::dispute::disputes;
use super::saved_methods::{hold, method};
use super::story::Story;
use crate::fixture::{Mirror, TestStore, changing};

/// Lets the store write a value into every sealed column. Except for customers, the installation's key seals, as in a
/// database whose merchants have no keys yet.
pub(super) async fn fill(test: &TestStore) {
    let made = test.merchant("bookshop").await;
    let profile = made.profiles.first().expect("a profile");
    let account = test.account(profile, "mca_1", "main");
    let number = CardNumber::parse("4111111111111111").expect("a number");
    let expiry = Expiry::parse("10", "35", "card", at(0)).expect("an expiry");
    let payment_id = PaymentId::parse("pay_1").expect("an id");
    let personal = Personal {
        name: Some("Ada".to_owned()),
        ..Personal::default()
    };
    let customer = Customer::create(
        shop(),
        CustomerId::parse("ada").expect("an id"),
        personal,
        at(1),
    );
    let changes: Vec<Change> = vec![
        changing(ConnectorAccountChange::Insert(account)),
        changing(CustomerChange::Insert(customer)),
        changing(HeldChange::HoldData {
            merchant_id: shop(),
            payment_id: payment_id.clone(),
            text: Card::new(number, None, expiry, GivenCardDetails::default()).to_sealable(),
            expires_at: at(900),
        }),
        changing(HeldChange::HoldCredentials {
            merchant_id: shop(),
            payment_id,
            attempt: 1,
            credentials: SecretText::new("brought"),
            expires_at: None,
        }),
        changing(RefundChange::HoldCredentials {
            merchant_id: shop(),
            refund_id: RefundId::parse("ref_1").expect("an id"),
            credentials: SecretText::new("brought for a refund"),
        }),
        changing(DisputeChange::KeepFile {
            merchant_id: shop(),
            file_id: FileId::parse("file_1").expect("an id"),
            bytes: FileBytes::new(b"%PDF-1.7 \xff\x00"),
        }),
    ];
    let idempotency = vec![
        IdempotencyChange::Claim(KeyClaim {
            merchant_id: shop(),
            operation: "payments_create",
            key: "k/1".to_owned(),
            fingerprint: Fingerprint::default(),
            object_id: "pay_1".to_owned(),
            lease_until: at(0),
            created_at: at(0),
        }),
        IdempotencyChange::StoreAnswer {
            merchant_id: shop(),
            operation: "payments_create",
            key: "k/1".to_owned(),
            answer: Answer {
                text: SecretText::new("an answer"),
                customer_id: None,
            },
        },
    ];
    let committed = test.commit_for_key(changes, idempotency).await;
    committed.expect("a commit");
    test.record([news("evt_1", "pay_1", 16), news("evt_2", "pay_2", 16)])
        .await;
    let claimed = test.claim(&endpoint("pro_1"), 40).await.remove(0);
    let made = a_try(&claimed, claimed.event.event_id.as_str(), 200, 41);
    test.finish(&claimed, made, AfterTry::Delivered).await;
    // The vault seals before the store is called.
    let of_card = |digit| {
        let (method, entry) = method("ada", digit, None);
        let place = format!("vault:bookshop/{}", entry.fingerprint);
        let sealed = Mirror.seal(&place, &SecretText::new("4111111111111111"));
        (method, VaultEntry { sealed, ..entry })
    };
    let (saved, entry) = of_card(1);
    let insert = SavedMethodChange::Insert {
        method: Box::new(saved),
        room: 1_000,
        entry: Some(entry),
    };
    test.commit(vec![changing(insert), hold("pay_2", of_card(2))])
        .await
        .expect("a commit");
    let notice = NewNotice {
        notice_id: NoticeId::parse("ntc_1").expect("an id"),
        merchant_id: shop(),
        merchant_connector_id: ConnectorAccountId::parse("mca_1").expect("an id"),
        connector: "fauxpay".to_owned(),
        body_hash: "a hash".to_owned(),
        content: RawNotice {
            headers: Vec::new(),
            body: "a notice".into(),
        },
        received_at: at(5),
    };
    test.store.file_notice(&notice).await.expect("a notice");
    // Such a database doesn't seal the payer's personal data.
    Story::begin(test, "pay_1", profile).await;
    let who = SecretText::new(r#"{"notes":{"name":"Ada"}}"#);
    let sealed = Mirror.seal("payments:bookshop/pay_1", &who);
    let sql = "update payments set personal = $1";
    test.insert(Write::new(sql, values![sealed])).await;
    // Nor the personal data of an event.
    let body = SecretText::new(r#"{"content":{"object":{"name":"Ada"}}}"#);
    let parts = event_body::parted(&body).expect("JSON").expect("parts");
    let redacted = Mirror.seal("events.parted:bookshop/evt_2", &parts.redacted);
    let told = Mirror.seal("events.personal:bookshop/evt_2", &parts.told);
    let sql =
        "update events set customer_id = 'ada', body = $1, personal = $2 where event_id = 'evt_2'";
    test.insert(Write::new(sql, values![redacted, told])).await;
    // Nor the holder of a method, nor the texts of a dispute.
    let id = of_card(1).0.payment_method_id;
    let held = of_card(2).0.payment_method_id;
    let parts = ["holder_name", "nick_name", "particulars"];
    let all = ["holder_name", "nick_name", "particulars", "consent"];
    for (table, id, parts) in [
        ("payment_methods", id, &all[..]),
        ("cards_to_save", held, &parts[..]),
    ] {
        for part in parts {
            let place = format!("payment_methods.{part}:bookshop/{id}");
            let sealed = Mirror.seal(&place, &SecretText::new("{}"));
            let sql: &str = format!("update {table} set {part}_sealed = $1").leak();
            test.insert(Write::new(sql, values![sealed])).await;
        }
    }
    let raised = disputes().remove(0);
    let place = format!("disputes:bookshop/{}", raised.dispute_id);
    let raised = DisputeChange::Insert(raised.into());
    test.commit(vec![changing(raised)]).await.expect("a commit");
    let sealed = Mirror.seal(&place, &SecretText::new("{}"));
    let sql = "update disputes set evidence_sealed = $1";
    test.insert(Write::new(sql, values![sealed])).await;
    // A merchant without a key gets one for the request log.
    let bodies = ["request_body", "answer_body"].map(|column| {
        let place = format!("request_log.{column}:bookshop/req_1");
        Mirror.seal(&place, &SecretText::new("{}"))
    });
    let [asked, answered] = bodies;
    let sql = "insert into request_log (merchant_id, request_id, requested_at, duration_ms, method, path, \
         path_template, operation, status, caller, request_body, request_body_cut, answer_body, answer_body_cut) \
         values ('bookshop', 'req_1', 1, 1, 'GET', '/refunds', '/refunds', 'refunds_create', 200, 'api_key', \
         $1, false, $2, false)";
    test.insert(Write::new(sql, values![asked, answered])).await;
}
