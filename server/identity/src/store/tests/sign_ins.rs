//! Tests of stored sign-in data: second factors with their guesses, and waiting mail.

use multirail_app::platform::ports::CommitError;
use multirail_identity_domain::{
    IdentityLink, PasswordMailKind, SecondFactor, SecondStep, SessionKind, SignInClient,
    SignInLink, User, UserSession,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{OrganizationId, SessionId};
use multirail_kernel::random::SeededRandom;
use multirail_kernel::secret::SecretText;
use multirail_sql::Write;
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, ada, at, changing, shop};
use crate::ports::{AfterMail, ClaimedMail, MailStore, PasswordMailRequest};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    a_second_factor_is_replaced_until_it_is_confirmed_and_changed_under_its_version
    guesses_are_counted_until_there_are_too_many
    a_link_to_the_console_is_used_once
    a_session_from_before_its_kind_was_stored_is_a_programs
    a_session_is_replaced_and_ended_once
    no_session_survives_the_end_of_all_while_it_is_replaced
    a_sign_in_is_stored_at_the_version_that_was_checked
    no_sign_in_survives_the_end_of_all_while_it_is_stored
    a_takeover_ends_all_sessions_but_its_own
    mail_waits_once_for_an_address_and_is_taken_up_by_one
}

async fn begin(test: &TestStore, seed: u64) -> Result<(), CommitError> {
    let begun = SecondFactor::begin(&ada(), at(2), &SeededRandom::new(seed));
    let change = UserChange::BeginSecondFactor(Box::new(begun));
    test.commit(vec![changing(change)]).await
}

async fn stored(test: &TestStore) -> SecondFactor {
    let found = test.store.second_factor(&ada().user_id).await;
    found.expect("a read").expect("a second factor")
}

async fn update(test: &TestStore, factor: &SecondFactor) -> Result<(), CommitError> {
    let change = UserChange::UpdateSecondFactor(Box::new(factor.clone()));
    test.commit(vec![changing(change)]).await
}

async fn a_second_factor_is_replaced_until_it_is_confirmed_and_changed_under_its_version(
    test: TestStore,
) {
    test.merchant("bookshop").await;
    begin(&test, 1).await.expect("a commit");
    let former = stored(&test).await;
    begin(&test, 2).await.expect("a commit");
    let begun = stored(&test).await;
    assert_ne!(former.secrets.totp.expose(), begun.secrets.totp.expose());
    // A change based on an earlier read is a conflict.
    assert_eq!(update(&test, &former).await, Err(CommitError::Conflict));
    let confirmed = SecondFactor {
        confirmed_at: Some(at(3)),
        last_step: 7,
        ..begun.clone().with_recovery_hashes(vec!["one".to_owned()])
    };
    update(&test, &confirmed).await.expect("a commit");
    let on = stored(&test).await;
    let wanted = SecondFactor {
        version: on.version,
        ..confirmed.clone()
    };
    assert!(on == wanted, "as it was stored");
    assert_eq!(update(&test, &confirmed).await, Err(CommitError::Conflict));
    assert_eq!(begin(&test, 3).await, Err(CommitError::Conflict));
    let end = |factor: &SecondFactor| UserChange::EndSecondFactor(Box::new(factor.clone()));
    let early = test.commit(vec![changing(end(&confirmed))]).await;
    assert_eq!(early, Err(CommitError::Conflict));
    test.commit(vec![changing(end(&on))])
        .await
        .expect("a commit");
    let left = test.store.second_factor(&ada().user_id).await;
    assert_eq!(left, Ok(None));
}

async fn guesses_are_counted_until_there_are_too_many(test: TestStore) {
    test.merchant("bookshop").await;
    let user_id = ada().user_id;
    let guess = async |seconds| {
        let counted = test.store.count_guess(&user_id, at(seconds)).await;
        counted.expect("a commit")
    };
    assert!(!guess(10).await, "there is nothing to guess at");
    begin(&test, 1).await.expect("a commit");
    for _ in 0..5 {
        assert!(guess(10).await);
    }
    assert!(!guess(10).await);
    assert!(!guess(309).await);
    assert!(guess(310).await);
    assert!(!guess(310).await);
    // A new factor gives no new guesses; a correct code clears the count.
    begin(&test, 2).await.expect("a commit");
    assert!(!guess(310).await);
    let forgiven = SecondFactor {
        guesses_empty_at: at(0),
        ..stored(&test).await
    };
    update(&test, &forgiven).await.expect("a commit");
    assert!(guess(310).await);
}

async fn a_link_to_the_console_is_used_once(test: TestStore) {
    test.merchant("bookshop").await;
    let link = SignInLink {
        hash: "a hash".to_owned(),
        user_id: ada().user_id,
        expires_at: at(900),
    };
    let add = || changing(UserChange::AddSignInLink(link.clone()));
    let take = || changing(UserChange::UseSignInLink(link.clone()));
    test.commit(vec![add()]).await.expect("a commit");
    let found = test.store.sign_in_link("a hash").await;
    assert_eq!(found, Ok(Some(link.clone())));
    test.commit(vec![take()]).await.expect("a commit");
    assert_eq!(test.store.sign_in_link("a hash").await, Ok(None));
    assert_eq!(test.commit(vec![take()]).await, Err(CommitError::Conflict));

    test.commit(vec![add()]).await.expect("a commit");
    let end = UserChange::EndSessions {
        user_id: ada().user_id,
        except: None,
    };
    test.commit(vec![changing(end)]).await.expect("a commit");
    assert_eq!(test.store.sign_in_link("a hash").await, Ok(None));
}

async fn a_session_from_before_its_kind_was_stored_is_a_programs(test: TestStore) {
    let of_before = "insert into user_sessions (session_id, user_id, organization_id, merchant_id, created_at, \
         expires_at) values ('ses_1', 'user_1', 'org_1', 'bookshop', 1, 2)";
    let write = Write::new(of_before, Vec::new());
    test.engine.write(vec![write]).await.expect("a commit");
    let session_id = SessionId::parse("ses_1").expect("an id");
    let found = test.store.user_session(&session_id).await.expect("a read");
    assert_eq!(found.expect("a session").kind, SessionKind::Token);
}

fn session(id: &str) -> UserSession {
    UserSession {
        session_id: SessionId::parse(id).expect("an id"),
        kind: SessionKind::Console,
        user_id: ada().user_id,
        organization_id: OrganizationId::parse("org_1").expect("an id"),
        merchant_id: shop(),
        profile_id: None,
        created_at: at(1),
        expires_at: at(900),
        last_used_at: None,
    }
}

/// Stores Ada, who has a role in the bookshop's account.
async fn sign_up(test: &TestStore) {
    test.merchant("bookshop").await;
    let insert = UserChange::Insert(Box::new(ada()));
    test.commit(vec![changing(insert)]).await.expect("a commit");
}

async fn version(test: &TestStore) -> i64 {
    let found = test.store.user_version(&ada().user_id).await;
    found.expect("a read").expect("a user")
}

async fn open_at(test: &TestStore, id: &str, version: i64) -> Result<(), CommitError> {
    let open = UserChange::OpenSession {
        session: session(id),
        client: SignInClient::default(),
        version,
    };
    test.commit(vec![changing(open)]).await
}

async fn open(test: &TestStore, id: &str) {
    let opened = open_at(test, id, version(test).await).await;
    opened.expect("a commit");
}

async fn end_all(test: &TestStore) -> Result<(), CommitError> {
    let end = UserChange::EndSessions {
        user_id: ada().user_id,
        except: None,
    };
    test.commit(vec![changing(end)]).await
}

/// Asks for a second step whose token has the hash `a step`.
async fn ask_at(test: &TestStore, version: i64) -> Result<(), CommitError> {
    let step = SecondStep {
        hash: "a step".to_owned(),
        user_id: ada().user_id,
        expires_at: at(300),
    };
    let add = UserChange::AddSecondStep { step, version };
    test.commit(vec![changing(add)]).await
}

async fn replace(test: &TestStore, former: &str, id: &str) -> Result<(), CommitError> {
    let replace = UserChange::ReplaceSession {
        former: session(former).session_id,
        session: session(id),
        client: SignInClient::default(),
        version: version(test).await,
    };
    test.commit(vec![changing(replace)]).await
}

async fn listed(test: &TestStore) -> Vec<UserSession> {
    let found = test.store.user_sessions(&ada().user_id, at(2), 10).await;
    let found = found.expect("a read").into_iter();
    found.map(|(session, _)| session).collect()
}

async fn a_session_is_replaced_and_ended_once(test: TestStore) {
    sign_up(&test).await;
    let end = async |id: &str| {
        let end = UserChange::EndSession {
            user_id: ada().user_id,
            session_id: session(id).session_id,
        };
        test.commit(vec![changing(end)]).await
    };
    open(&test, "ses_1").await;
    replace(&test, "ses_1", "ses_2").await.expect("a commit");
    assert_eq!(listed(&test).await, [session("ses_2")]);
    let again = replace(&test, "ses_1", "ses_3").await;
    assert_eq!(again, Err(CommitError::Conflict));
    assert_eq!(end("ses_1").await, Err(CommitError::Conflict));
    assert_eq!(end("ses_2").await, Ok(()));
    let late = replace(&test, "ses_2", "ses_3").await;
    assert_eq!(late, Err(CommitError::Conflict));
    assert_eq!(listed(&test).await, []);
}

/// Either the replaced session ends, or nothing is left to replace.
async fn no_session_survives_the_end_of_all_while_it_is_replaced(test: TestStore) {
    sign_up(&test).await;
    for _ in 0..20 {
        open(&test, "ses_1").await;
        let replace = replace(&test, "ses_1", "ses_2");
        let (replaced, ended) = tokio::join!(replace, end_all(&test));
        ended.expect("a commit");
        let is_known = matches!(replaced, Ok(()) | Err(CommitError::Conflict));
        assert!(is_known, "{replaced:?}");
        assert_eq!(listed(&test).await, []);
    }
}

/// The end of all sign-ins and a new password each make the checked version a former one.
async fn a_sign_in_is_stored_at_the_version_that_was_checked(test: TestStore) {
    sign_up(&test).await;
    let checked = version(&test).await;
    assert_eq!(checked, User::FIRST_VERSION);
    open_at(&test, "ses_1", checked).await.expect("a commit");
    ask_at(&test, checked).await.expect("a commit");
    end_all(&test).await.expect("a commit");
    let late = Err(CommitError::Conflict);
    assert_eq!(open_at(&test, "ses_2", checked).await, late);
    assert_eq!(ask_at(&test, checked).await, late);
    let link = IdentityLink {
        hash: "a person".to_owned(),
        user_id: ada().user_id,
        created_at: at(1),
    };
    let link = UserChange::Link {
        link,
        version: checked,
    };
    assert_eq!(test.commit(vec![changing(link)]).await, late);
    assert_eq!(listed(&test).await, []);
    assert_eq!(test.store.second_step("a step").await, Ok(None));

    let checked = version(&test).await;
    let user = test.store.user(&ada().user_id).await.expect("a read");
    let user = user.expect("a user");
    let changed = user.with_password(SecretText::new("a hash"), at(2));
    let update = UserChange::Update(Box::new(changed));
    test.commit(vec![changing(update)]).await.expect("a commit");
    assert_eq!(open_at(&test, "ses_2", checked).await, late);
    open(&test, "ses_2").await;
    assert_eq!(listed(&test).await, [session("ses_2")]);
}

/// Either the new sign-in ends with the others, or it isn't stored.
async fn no_sign_in_survives_the_end_of_all_while_it_is_stored(test: TestStore) {
    sign_up(&test).await;
    for _ in 0..20 {
        let checked = version(&test).await;
        let opens = open_at(&test, "ses_1", checked);
        let asks = ask_at(&test, checked);
        let (opened, asked, ended) = tokio::join!(opens, asks, end_all(&test));
        ended.expect("a commit");
        for stored in [opened, asked] {
            let is_known = matches!(stored, Ok(()) | Err(CommitError::Conflict));
            assert!(is_known, "{stored:?}");
        }
        assert_eq!(listed(&test).await, []);
        assert_eq!(test.store.second_step("a step").await, Ok(None));
    }
}

/// One commit uses the link up, opens its session and ends the others.
async fn a_takeover_ends_all_sessions_but_its_own(test: TestStore) {
    sign_up(&test).await;
    open(&test, "ses_1").await;
    let link = SignInLink {
        hash: "a hash".to_owned(),
        user_id: ada().user_id,
        expires_at: at(900),
    };
    let add = UserChange::AddSignInLink(link.clone());
    test.commit(vec![changing(add)]).await.expect("a commit");
    let user = test.store.user(&ada().user_id).await.expect("a read");
    let user = user.expect("a user");
    let own = session("ses_2");
    let changes = [
        UserChange::OpenSession {
            session: own.clone(),
            client: SignInClient::default(),
            version: user.version,
        },
        UserChange::UseSignInLink(link),
        UserChange::Update(Box::new(user.without_password(at(2)))),
        UserChange::EndSessions {
            user_id: ada().user_id,
            except: Some(own.session_id.clone()),
        },
    ];
    let taken_over = test.commit(changes.map(changing).into()).await;
    taken_over.expect("a commit");
    assert_eq!(listed(&test).await, [own]);
}

async fn mail_waits_once_for_an_address_and_is_taken_up_by_one(test: TestStore) {
    let email = Email::parse("ada@books.example").expect("an address");
    let ask = async |kind, seconds| {
        let request = PasswordMailRequest {
            email_hash: test.store.mail_hash(&email),
            kind,
            requested_at: at(seconds),
        };
        test.store.ask_for_mail(&request).await.expect("a commit");
    };
    let claim = async |seconds| {
        let claimed = test
            .store
            .claim_mail(at(seconds), at(seconds), at(seconds + 60));
        claimed.await.expect("a commit")
    };
    let note = async |claimed: &ClaimedMail, after: AfterMail| {
        let noted = test.store.note_mail(claimed, after);
        noted.await.expect("a commit");
    };
    ask(PasswordMailKind::Reset, 10).await;
    ask(PasswordMailKind::Reset, 11).await;
    let first = claim(12).await.expect("mail");
    assert_eq!((first.kind, first.tries), (PasswordMailKind::Reset, 0));
    assert_eq!(claim(12).await, None, "somebody is at it");
    // A slow server that lost its claim changes nothing.
    let second = claim(72).await.expect("mail");
    note(&first, AfterMail::Done(at(73))).await;
    note(&second, AfterMail::Again(at(100))).await;
    assert_eq!(claim(99).await, None);
    let third = claim(100).await.expect("mail");
    assert_eq!(third.tries, 1);
    note(&third, AfterMail::Done(at(100))).await;
    // Another mail so soon is not sent; an invitation is another kind.
    ask(PasswordMailKind::Reset, 399).await;
    assert_eq!(claim(399).await, None);
    ask(PasswordMailKind::Invitation, 399).await;
    let invitation = claim(399).await.expect("mail");
    assert_eq!(invitation.kind, PasswordMailKind::Invitation);
    note(&invitation, AfterMail::Done(at(399))).await;
    ask(PasswordMailKind::Reset, 400).await;
    let later = claim(400).await.expect("mail");
    assert_eq!((later.kind, later.tries), (PasswordMailKind::Reset, 0));
    note(&later, AfterMail::Done(at(400))).await;
    // Mail that is done is purged then.
    let purged = test.store.purge_sign_ins(at(700), 10).await;
    assert_eq!(purged, Ok(2));

    // A further offer is in the invitation that waits, or in another one after the pause.
    ask(PasswordMailKind::Invitation, 1_000).await;
    ask(PasswordMailKind::Invitation, 1_001).await;
    let first = claim(1_001).await.expect("mail");
    ask(PasswordMailKind::Invitation, 1_002).await;
    note(&first, AfterMail::Done(at(1_003))).await;
    assert_eq!(claim(1_301).await, None);
    let second = claim(1_302).await.expect("mail");
    note(&second, AfterMail::Done(at(1_302))).await;
    ask(PasswordMailKind::Invitation, 1_303).await;
    assert_eq!(claim(1_601).await, None);
    assert!(claim(1_602).await.is_some());
}
