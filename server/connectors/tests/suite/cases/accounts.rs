//! Cases of accounts: credentials and addresses.

use multirail_connector_kit::stories;
use multirail_kernel::secret::SecretText;
use multirail_sdk::connector::{Access, AccountCheck, CREDENTIALS_REFUSED_CODE, DeclineCategory};

use crate::suite::bench::{Bench, agrees, declined, never_happened};

pub async fn credentials_that_are_refused(bench: Bench) {
    let access = || bench.subject.refused_access();
    for asked in bench.one_of_each().await {
        let outcome = bench.ask_by(&*bench.connector, access(), &asked).await;
        let decline = declined(outcome);
        assert_eq!(decline.code, CREDENTIALS_REFUSED_CODE, "{asked:?}");
        assert_eq!(decline.category, Some(DeclineCategory::InvalidCredentials));
        bench.assert_done(&asked, false).await;
    }
    let check = bench.connector.check(access()).await;
    assert!(matches!(check, AccountCheck::Refused { .. }), "{check:?}");
}

pub async fn credentials_that_are_accepted(bench: Bench) {
    agrees(stories::credentials_accepted(&bench).await);
}

/// Temporary credentials can't be used for calls.
pub async fn credentials_of_another_kind(bench: Bench) {
    let asked = bench.one_of_each().await;
    let requests = bench.subject.peer().requests();
    let access = || Access {
        credentials: SecretText::new(r#"{"auth_type":"TemporaryAuth"}"#),
        ..bench.subject.access()
    };
    for asked in asked {
        never_happened(bench.ask_by(&*bench.connector, access(), &asked).await);
    }
    let check = bench.connector.check(access()).await;
    assert!(matches!(check, AccountCheck::Refused { .. }), "{check:?}");
    assert_eq!(
        bench.subject.peer().requests(),
        requests,
        "nothing was sent"
    );
}

pub async fn an_address_that_is_not_allowed(bench: Bench) {
    let asked = bench.one_of_each().await;
    let requests = bench.subject.peer().requests();
    for asked in asked {
        let mut access = bench.subject.access();
        let elsewhere = "https://stand-in.example".into();
        access.metadata.insert("base_url".to_owned(), elsewhere);
        let reason = never_happened(bench.ask_by(&*bench.connector, access, &asked).await);
        assert!(reason.contains("operator"), "{reason}");
    }
    assert_eq!(bench.subject.peer().requests(), requests);
}

pub async fn an_unreachable_address(bench: Bench) {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("bound").port()
    };
    for asked in bench.one_of_each().await {
        let mut access = bench.subject.access();
        let closed = format!("https://127.0.0.1:{port}").into();
        access.metadata.insert("base_url".to_owned(), closed);
        never_happened(bench.ask_by(&*bench.connector, access, &asked).await);
        bench.assert_done(&asked, false).await;
    }
}
