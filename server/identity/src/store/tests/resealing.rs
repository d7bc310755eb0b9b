//! Tests a change of all data keys. It reseals the columns that users declare, like all others; the store knows nothing
//! else about users.

use std::collections::BTreeSet;

use multirail_app::platform::ports::installation_keys::{
    InstallationKey, KeyStore, NewRotation, Portion,
};
use multirail_identity_domain::{SecondFactor, SessionKind, SignInClient, User, UserSession};
use multirail_kernel::ids::{OrganizationId, SessionId, UserId};
use multirail_kernel::random::SeededRandom;
use multirail_store::fixture::on_both_engines;
use multirail_store::{Inspection, SealedColumn};

use super::test_users::{TestStore, ada, at, changing, shop};
use crate::ports::{UserChange, UserStore};
use crate::store::DECLARED;

on_both_engines! {
    sealed_columns_of_users_are_resealed
}

/// The place is authenticated with the sealed text, so that a text can't be opened in another row.
#[test]
fn places_stay_what_rows_were_sealed_for() {
    let place = |column: &SealedColumn| {
        let (begins_with, columns) = column.place;
        format!("{}: {begins_with}:{}", column.name(), columns.join("/"))
    };
    let places: Vec<String> = DECLARED.sealed_columns.iter().map(place).collect();
    assert_eq!(
        places,
        [
            "users.personal: users:user_id",
            "user_sessions.client: user_sessions:session_id",
            "user_second_factors.secrets: user_second_factors:user_id",
        ]
    );
}

fn session() -> UserSession {
    UserSession {
        session_id: SessionId::parse("ses_1").expect("an id"),
        kind: SessionKind::Console,
        user_id: UserId::parse("user_1").expect("an id"),
        organization_id: OrganizationId::parse("org_1").expect("an id"),
        merchant_id: shop(),
        profile_id: None,
        created_at: at(1),
        expires_at: at(900),
        last_used_at: None,
    }
}

/// Fills every sealed column, under the key of the installation.
async fn fill(test: &TestStore) {
    test.merchant("bookshop").await;
    let factor = SecondFactor::begin(&ada(), at(1), &SeededRandom::new(1));
    let changes = vec![
        changing(UserChange::Insert(Box::new(ada()))),
        changing(UserChange::OpenSession {
            session: session(),
            client: SignInClient::default(),
            version: User::FIRST_VERSION,
        }),
        changing(UserChange::BeginSecondFactor(Box::new(factor))),
    ];
    test.commit(changes).await.expect("a commit");
}

/// Returns the names of the keys that seal each column.
async fn keys(test: &TestStore) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for column in DECLARED.sealed_columns {
        let found = test.sealed(column).await;
        assert_eq!(found.len(), 1, "{}", column.name());
        for (listed, sealed_for, key) in found {
            assert_eq!(listed, sealed_for);
            keys.insert(key);
        }
    }
    keys
}

async fn sealed_columns_of_users_are_resealed(test: TestStore) {
    fill(&test).await;
    assert_eq!(keys(&test).await, ["installation".to_owned()].into());
    let store = &test.shared().store;
    let begun = NewRotation {
        rotation_id: "rot_1".to_owned(),
        data_key: InstallationKey {
            key_id: "data_1".to_owned(),
            purpose: "data".to_owned(),
            wrapped: vec![1],
            next_wrapped: None,
            created_at_micros: 7,
            retired_at_micros: None,
        },
        started_at: at(100),
        settled_at: at(110),
    };
    assert!(store.begin_rotation(&begun).await.expect("a commit"));
    let claim = store.claim_rotation(at(101), 20).await.expect("a read");
    let claim = claim.expect("a claim");
    let mut portions = 0;
    loop {
        let portion = store.seal_portion(&claim, at(200), 20, 100).await;
        match portion.expect("a portion") {
            Portion::More(_) => portions += 1,
            Portion::Finished => break,
            other => panic!("{other:?}"),
        }
        assert!(portions < 500, "it never ends");
    }
    let after = keys(&test).await;
    assert_eq!(after.len(), 1, "the merchant's: {after:?}");
    assert!(!after.contains("installation"), "{after:?}");
    // The data reads as before, and an inspection opens all of it.
    let listed = test.store.user_sessions(&ada().user_id, at(2), 10).await;
    let (read, client) = listed.expect("a read").remove(0);
    assert_eq!(read, session());
    assert!(client == SignInClient::default());
    let user = test.store.user(&ada().user_id).await.expect("a read");
    assert_eq!(user.expect("a user").personal.name, "ada");
    let inspected = store.inspect_sealed().await.expect("a read");
    let whole = Inspection {
        looked_at: inspected.looked_at,
        ..Inspection::default()
    };
    assert_eq!(inspected, whole);
    assert!(inspected.looked_at >= 3, "{inspected:?}");
}
