use multirail_app::fixture::{Committed, NOW, base, operator};
use multirail_identity_domain::OperatorSession;
use multirail_kernel::timestamp::Timestamp;

use super::*;
use crate::fixture::{OneAccount, Open, Stored, account, grant};

/// Makes the service with one token: its user has this role in the bookshop, and its sign-in ends in `ends_in`
/// seconds.
fn service(role: Option<Role>, ends_in: i64) -> Sessions {
    stored_service(role, ends_in).0
}

fn stored_service(role: Option<Role>, ends_in: i64) -> (Sessions, Arc<Stored>) {
    let account = account();
    let at = |seconds: i64| Timestamp::from_micros((NOW + seconds) * 1_000_000);
    let user_id = UserId::parse("user_1").expect("an id");
    let session = UserSession {
        session_id: SessionId::parse("ses_1").expect("an id"),
        kind: SessionKind::Token,
        user_id: user_id.clone(),
        organization_id: account.organization_id.clone(),
        merchant_id: account.merchant_id.clone(),
        profile_id: None,
        created_at: at(-10),
        expires_at: at(ends_in),
        last_used_at: None,
    };
    let claims = TokenClaims {
        session_id: "ses_1".to_owned(),
        user_id: user_id.to_string(),
        merchant_id: account.merchant_id.to_string(),
        role_id: "org_admin".to_owned(),
        org_id: account.organization_id.to_string(),
        profile_id: None,
        is_for_console: false,
        exp: NOW + 1_000,
    };
    let store = Arc::new(Stored::default());
    store.sessions.lock().expect("no panic").push(session);
    store
        .grants
        .lock()
        .expect("no panic")
        .extend(role.map(grant));
    let sessions = Sessions {
        base: base(&Arc::new(Committed::default())),
        store: store.clone(),
        accounts: Arc::new(OneAccount(account)),
        tokens: Arc::new(Open(claims)),
    };
    (sessions, store)
}

/// The current role counts, not the one in the token. A use that can't be recorded locks nobody out.
#[tokio::test]
async fn a_token_opens_what_its_user_may_do_now() {
    let sessions = service(Some(Role::MerchantViewOnly), 100);
    let caller = sessions
        .user_of_token("ses_1", true)
        .await
        .expect("a store");
    assert_eq!(caller.expect("a user").role, Role::MerchantViewOnly);
}

/// The sign-in itself goes on, so that the user can set the factor up.
#[tokio::test]
async fn a_token_says_whether_its_user_lacks_a_second_factor() {
    let (sessions, store) = stored_service(Some(Role::MerchantViewOnly), 100);
    for lacks in [false, true] {
        *store.lacks_second_factor.lock().expect("no panic") = lacks;
        let caller = sessions
            .user_of_token("ses_1", true)
            .await
            .expect("a store");
        assert_eq!(caller.expect("a user").lacks_second_factor, lacks);
    }
}

/// A stream of changes asks again and again, long after the token was read.
#[tokio::test]
async fn a_session_is_looked_up_without_its_token() {
    let ses = |name: &str| SessionId::parse(name).expect("an id");
    let role = Some(Role::MerchantOperator);
    let found = service(role, 100).user_of_session(&ses("ses_1")).await;
    assert_eq!(found.expect("a store").map(|user| user.role), role);
    for (role, ends_in, name) in [
        (role, 0, "ses_1"),
        (role, 100, "ses_2"),
        (None, 100, "ses_1"),
    ] {
        let found = service(role, ends_in).user_of_session(&ses(name)).await;
        assert_eq!(found.expect("a store"), None);
    }
}

/// A stolen cookie is no bearer's token, and a token never comes from a cookie.
#[tokio::test]
async fn a_token_is_not_valid_as_a_cookie() {
    let sessions = service(Some(Role::OrgAdmin), 100);
    let found = sessions.user_of_cookie("ses_1", true).await;
    assert_eq!(found.expect("a store"), None);
}

/// The change ends exactly the session that was read, or nothing is stored.
#[tokio::test]
async fn a_session_that_ends_while_it_switches_leaves_no_other_one() {
    let committed = Arc::new(Committed::default());
    let sessions = Sessions {
        base: base(&committed),
        ..service(Some(Role::OrgAdmin), 100)
    };
    let caller = sessions
        .user_of_token("ses_1", true)
        .await
        .expect("a store");
    let caller = caller.expect("a user");
    let origin = operator();
    let there = account().merchant_id;
    let switch = async || {
        let asked = (SignInClient::default(), SessionKind::Console);
        let switched = sessions.switch_merchant(&origin, &caller, &there, asked, true);
        switched.await
    };
    committed.refuse(CommitError::Conflict);
    let refused = switch().await.err();
    let is_over =
        |error: Option<AppError>| matches!(error, Some(AppError::Refused(Refusal::SessionOver)));
    assert!(is_over(refused));
    assert_eq!(committed.lines(), Vec::<String>::new());
    let switched = switch().await.expect("a session");
    assert_ne!(switched.session.session_id, caller.session_id);
    let lines = committed.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[1].contains("ReplaceSession"), "{lines:?}");
    // A token stays valid beside the new session, which is refused in the same way.
    let beside = async || {
        let asked = (SignInClient::default(), SessionKind::Token);
        let switched = sessions.switch_merchant(&origin, &caller, &there, asked, false);
        switched.await
    };
    committed.refuse(CommitError::Conflict);
    assert!(is_over(beside().await.err()));
    beside().await.expect("a session");
    let lines = committed.lines();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[3].contains("OpenSession"), "{lines:?}");
    // The session was replaced meanwhile, and the new one goes on.
    committed.refuse(CommitError::Conflict);
    let refused = sessions.sign_out(&origin, &caller).await.err();
    assert!(is_over(refused));
}

#[tokio::test]
async fn a_token_whose_sign_in_or_role_is_gone_opens_nothing() {
    for (role, ends_in, token) in [
        (None, 100, "ses_1"),
        (Some(Role::OrgAdmin), 0, "ses_1"),
        (Some(Role::OrgAdmin), 100, "ses_2"),
    ] {
        let found = service(role, ends_in).user_of_token(token, true).await;
        assert_eq!(found.expect("a store"), None);
    }
}

/// Anybody can send a cookie with a token that looks like the operator's.
#[tokio::test]
async fn only_a_session_of_the_operator_that_exists_is_ended() {
    let committed = Arc::new(Committed::default());
    let (sessions, store) = stored_service(None, 100);
    let sessions = Sessions {
        base: base(&committed),
        ..sessions
    };
    let end = async || sessions.end_operator("req_1".to_owned(), "ops_1").await;
    end().await.expect("nothing to end");
    assert_eq!(committed.lines(), Vec::<String>::new());
    let begun_at = Timestamp::from_micros(NOW * 1_000_000);
    let session = OperatorSession::begin("a hash".to_owned(), "a key".to_owned(), begun_at);
    *store.operator_session.lock().expect("no panic") = Some(session);
    end().await.expect("a commit");
    let lines = committed.lines();
    assert!(lines[1].contains("EndOperatorSession"), "{lines:?}");
}
