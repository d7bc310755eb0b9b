//! Tests of the team of a merchant account.

use multirail_app::platform::ports::CommitError;
use multirail_domain::accounts::merchant::MerchantAccount;
use multirail_identity_domain::{
    Grant, Invitation, Member, OtherAdmins, Role, RolePlace, SecondFactor, SessionKind,
    SignInClient, Standing, User, UserSession,
};
use multirail_kernel::email::Email;
use multirail_kernel::ids::{MerchantId, SessionId, UserId};
use multirail_kernel::random::SeededRandom;
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, at, changing, shop, store};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    a_team_is_the_users_of_an_account_and_the_people_with_an_open_offer
    a_sign_in_is_noted_at_the_roles_with_which_it_acts
    a_role_is_replaced_unless_it_was_changed_meanwhile
    one_of_two_admins_who_leave_at_once_stays
    the_offers_of_an_admin_are_withdrawn_where_they_leave
    sessions_end_in_one_account_or_in_the_organization
    sessions_end_where_no_role_is_left
    a_second_factor_is_lacking_where_it_is_required
}

fn user(user_id: &str) -> User {
    let email = Email::parse(&format!("{user_id}@books.example")).expect("an address");
    let user_id = UserId::parse(user_id).expect("an id");
    User::create(user_id, shop(), email, None, at(1))
}

fn grant(user_id: &str, account: &MerchantAccount, role: Role, since: i64) -> Grant {
    Grant {
        user_id: user(user_id).user_id,
        organization_id: account.organization_id.clone(),
        merchant_id: account.merchant_id.clone(),
        role,
        created_at: at(since),
    }
}

/// Stores the bookshop, and users of these names without roles.
async fn bookshop(test: &TestStore, users: &[&str]) -> MerchantAccount {
    let account = test.merchant("bookshop").await.account;
    let insert = |name: &&str| UserChange::Insert(Box::new(user(name)));
    store(test, users.iter().map(insert)).await;
    account
}

/// Returns a page of the team at this second.
async fn team(
    test: &TestStore,
    account: &MerchantAccount,
    now: i64,
    page: (i64, i64),
) -> Vec<Member> {
    let (organization_id, merchant_id) = (&account.organization_id, &account.merchant_id);
    let found = test.store.team(organization_id, merchant_id, at(now), page);
    found.await.expect("a read")
}

async fn a_team_is_the_users_of_an_account_and_the_people_with_an_open_offer(test: TestStore) {
    let account = bookshop(&test, &["ada", "grace", "joan", "barbara"]).await;
    let stall = test.merchant("stall").await.account;
    let offer = |user_id: &str, role: Role, since: i64, expires: i64| {
        UserChange::Invite(Invitation {
            grant: grant(user_id, &account, role, since),
            expires_at: at(expires),
            invited_by: None,
        })
    };
    let changes = [
        UserChange::Grant(grant("ada", &account, Role::OrgAdmin, 1)),
        UserChange::Grant(grant("ada", &account, Role::MerchantViewOnly, 9)),
        UserChange::Grant(grant("grace", &account, Role::MerchantViewOnly, 2)),
        offer("grace", Role::MerchantAdmin, 3, 100),
        offer("joan", Role::MerchantOperator, 4, 100),
        offer("barbara", Role::MerchantOperator, 5, 50),
    ];
    store(&test, changes).await;
    let factor = SecondFactor::begin(&user("ada"), at(2), &SeededRandom::new(1));
    store(&test, [UserChange::BeginSecondFactor(Box::new(factor))]).await;
    let listed = async |now, page| {
        let team = team(&test, &account, now, page).await;
        let line = |member: Member| (member.user_id.to_string(), member.standing);
        team.into_iter().map(line).collect::<Vec<_>>()
    };
    let active = |role, offered| Standing::Active { role, offered };
    let ada = ("ada".to_owned(), active(Role::OrgAdmin, None));
    let offered = Some(Role::MerchantAdmin);
    let grace = ("grace".to_owned(), active(Role::MerchantViewOnly, offered));
    let offered = Role::MerchantOperator;
    let joan = ("joan".to_owned(), Standing::Invited { offered });
    assert_eq!(listed(50, (10, 0)).await, [ada, grace.clone(), joan]);
    assert_eq!(listed(50, (1, 1)).await, [grace]);
    assert_eq!(listed(49, (10, 3)).await.len(), 1, "not lapsed yet");
    assert!(team(&test, &stall, 50, (10, 0)).await.is_empty());

    // A factor counts from its first code on.
    let has_factor = async || team(&test, &account, 50, (1, 0)).await[0].has_second_factor;
    assert!(!has_factor().await);
    let begun = test.store.second_factor(&user("ada").user_id).await;
    let confirmed = SecondFactor {
        confirmed_at: Some(at(3)),
        ..begun.expect("a read").expect("a second factor")
    };
    store(&test, [UserChange::UpdateSecondFactor(Box::new(confirmed))]).await;
    assert!(has_factor().await);
}

/// Opens a session of a user that nobody has changed.
fn open(session: UserSession) -> UserChange {
    UserChange::OpenSession {
        session,
        client: SignInClient::default(),
        version: User::FIRST_VERSION,
    }
}

async fn a_sign_in_is_noted_at_the_roles_with_which_it_acts(test: TestStore) {
    let account = bookshop(&test, &["ada", "grace"]).await;
    let grants = [
        grant("ada", &account, Role::OrgAdmin, 1),
        grant("grace", &account, Role::MerchantAdmin, 2),
    ];
    store(&test, grants.map(UserChange::Grant)).await;
    let session = |id: &str, user_id: &str, merchant_id: &MerchantId, since: i64| UserSession {
        session_id: SessionId::parse(id).expect("an id"),
        kind: SessionKind::Token,
        user_id: user(user_id).user_id,
        organization_id: account.organization_id.clone(),
        merchant_id: merchant_id.clone(),
        profile_id: None,
        created_at: at(since),
        expires_at: at(900),
        last_used_at: None,
    };
    let noted = async || {
        let team = team(&test, &account, 50, (10, 0)).await;
        let times = team.into_iter().map(|member| member.last_sign_in_at);
        times.collect::<Vec<_>>()
    };
    assert_eq!(noted().await, [None, None]);
    test.merchant("stall").await;
    let stall = MerchantId::parse("stall").expect("an id");
    let opened = [
        session("ses_1", "ada", &stall, 10),
        session("ses_2", "grace", &stall, 11),
    ];
    store(&test, opened.map(open)).await;
    // A role in the organization is used in each of its accounts.
    assert_eq!(noted().await, [Some(at(10)), None]);
    store(&test, [open(session("ses_3", "grace", &shop(), 12))]).await;
    let replaced = UserChange::ReplaceSession {
        former: SessionId::parse("ses_1").expect("an id"),
        session: session("ses_4", "ada", &shop(), 9),
        client: SignInClient::default(),
        version: User::FIRST_VERSION,
    };
    store(&test, [replaced]).await;
    assert_eq!(noted().await, [Some(at(10)), Some(at(12))]);
}

async fn a_role_is_replaced_unless_it_was_changed_meanwhile(test: TestStore) {
    let account = bookshop(&test, &["ada"]).await;
    let former = grant("ada", &account, Role::MerchantOperator, 1);
    store(&test, [UserChange::Grant(former.clone())]).await;
    let replace = async || {
        let (former, role) = (former.clone(), Role::MerchantViewOnly);
        let change = UserChange::ReplaceRole { former, role };
        test.commit(vec![changing(change)]).await
    };
    replace().await.expect("a commit");
    let now = grant("ada", &account, Role::MerchantViewOnly, 1);
    let found = test.store.grants(&user("ada").user_id).await;
    assert_eq!(found, Ok(vec![now]));
    assert_eq!(replace().await, Err(CommitError::Conflict));
}

async fn one_of_two_admins_who_leave_at_once_stays(test: TestStore) {
    let account = bookshop(&test, &["ada", "grace", "joan"]).await;
    let grants = [
        grant("ada", &account, Role::MerchantAdmin, 1),
        grant("grace", &account, Role::MerchantAdmin, 2),
        grant("joan", &account, Role::MerchantOperator, 3),
    ];
    store(&test, grants.clone().map(UserChange::Grant)).await;
    let others = async |name: &str| {
        let (organization_id, merchant_id) = (&account.organization_id, &account.merchant_id);
        let user_id = user(name).user_id;
        let found = test
            .store
            .other_admins(&user_id, organization_id, merchant_id);
        found.await.expect("a read")
    };
    let of_account = |of_account| OtherAdmins {
        of_organization: false,
        of_account,
    };
    assert_eq!(others("ada").await, of_account(true));
    let leave = |grant: &Grant, merchant_id: Option<MerchantId>| {
        let keep = UserChange::KeepAdmin {
            leaving: grant.user_id.clone(),
            place: RolePlace {
                organization_id: grant.organization_id.clone(),
                merchant_id,
            },
        };
        let leave = UserChange::TakeAway(grant.clone());
        test.commit(vec![changing(keep), changing(leave)])
    };
    let of_organization = leave(&grants[0], None).await;
    assert_eq!(of_organization, Err(CommitError::Conflict), "it has none");
    let (one, other) = tokio::join!(
        leave(&grants[0], Some(shop())),
        leave(&grants[1], Some(shop()))
    );
    let left = [&one, &other].into_iter().filter(|one| one.is_ok());
    assert_eq!(left.count(), 1, "{one:?} {other:?}");
    let mut names = ["ada", "grace"];
    if one.is_ok() {
        names.reverse();
    }
    let [stays, left] = names;
    assert_eq!(others(stays).await, of_account(false));
    assert_eq!(others(left).await, of_account(true));

    // An admin of the organization counts for each of its accounts.
    let above = grant("joan", &account, Role::OrgAdmin, 4);
    store(&test, [UserChange::Grant(above)]).await;
    let both = OtherAdmins {
        of_organization: true,
        of_account: true,
    };
    assert_eq!(others(stays).await, both);
    let last = &grants[usize::from(stays == "grace")];
    leave(last, Some(shop())).await.expect("a commit");
}

async fn the_offers_of_an_admin_are_withdrawn_where_they_leave(test: TestStore) {
    let account = bookshop(&test, &["ada", "grace", "joan"]).await;
    let own = grant("ada", &account, Role::MerchantAdmin, 1);
    store(&test, [UserChange::Grant(own.clone())]).await;
    let offer = |role: Role, merchant_id: &str, inviter: Option<&str>| Invitation {
        grant: Grant {
            merchant_id: MerchantId::parse(merchant_id).expect("an id"),
            ..grant("joan", &account, role, 2)
        },
        expires_at: at(100),
        invited_by: inviter.map(|name| user(name).user_id),
    };
    let offers = [
        offer(Role::MerchantOperator, "bookshop", Some("ada")),
        offer(Role::MerchantOperator, "stall", Some("ada")),
        offer(Role::MerchantOperator, "kiosk", Some("grace")),
        offer(Role::MerchantOperator, "van", None),
    ];
    store(&test, offers.clone().map(UserChange::Invite)).await;
    let left = async || {
        let found = test.store.invitations(&user("joan").user_id).await;
        found.expect("a read")
    };
    assert_eq!(left().await.len(), 4);
    let withdraw = |merchant_id: Option<MerchantId>| UserChange::WithdrawOffers {
        inviter: user("ada").user_id,
        place: RolePlace {
            organization_id: account.organization_id.clone(),
            merchant_id,
        },
    };
    store(&test, [withdraw(Some(shop()))]).await;
    let mut places: Vec<String> = Vec::new();
    for offer in left().await {
        places.push(offer.grant.merchant_id.to_string());
        assert!(offers.contains(&offer), "{offer:?}");
    }
    assert_eq!(places, ["kiosk", "stall", "van"]);
    store(&test, [withdraw(None)]).await;
    assert_eq!(left().await.len(), 2);
    // An offer that was decided before the admin left isn't stored.
    let hold = || changing(UserChange::HoldRole(own.clone()));
    test.commit(vec![hold()]).await.expect("a commit");
    store(&test, [UserChange::TakeAway(own.clone())]).await;
    assert_eq!(test.commit(vec![hold()]).await, Err(CommitError::Conflict));
}

async fn sessions_end_in_one_account_or_in_the_organization(test: TestStore) {
    let account = bookshop(&test, &["ada", "grace"]).await;
    let elsewhere = test.merchant("stall").await.account;
    let session = |id: &str, user_id: &str, at_stall: bool| UserSession {
        session_id: SessionId::parse(id).expect("an id"),
        kind: SessionKind::Token,
        user_id: user(user_id).user_id,
        organization_id: match id {
            "ses_4" => elsewhere.organization_id.clone(),
            _ => account.organization_id.clone(),
        },
        merchant_id: match at_stall {
            true => elsewhere.merchant_id.clone(),
            false => shop(),
        },
        profile_id: None,
        created_at: at(1),
        expires_at: at(900),
        last_used_at: None,
    };
    let opened = [
        session("ses_1", "ada", false),
        session("ses_2", "ada", false),
        session("ses_3", "ada", true),
        session("ses_4", "ada", true),
        session("ses_5", "grace", false),
    ];
    store(&test, opened.map(open)).await;
    let left = async || {
        let mut ids = Vec::new();
        for name in ["ada", "grace"] {
            let user_id = user(name).user_id;
            let found = test.store.user_sessions(&user_id, at(2), 10).await;
            let found = found.expect("a read").into_iter();
            ids.extend(found.map(|(session, _)| session.session_id.to_string()));
        }
        ids
    };
    let end = async |merchant_id: Option<MerchantId>| {
        let change = UserChange::EndSessionsIn {
            user_id: user("ada").user_id,
            place: RolePlace {
                organization_id: account.organization_id.clone(),
                merchant_id,
            },
            except: Some(SessionId::parse("ses_2").expect("an id")),
        };
        store(&test, [change]).await;
    };
    end(Some(shop())).await;
    assert_eq!(left().await, ["ses_2", "ses_3", "ses_4", "ses_5"]);
    end(None).await;
    assert_eq!(left().await, ["ses_2", "ses_4", "ses_5"]);
}

async fn sessions_end_where_no_role_is_left(test: TestStore) {
    let account = bookshop(&test, &["ada", "grace"]).await;
    let session = |id: &str, user_id: &str, merchant_id: &str| UserSession {
        session_id: SessionId::parse(id).expect("an id"),
        kind: SessionKind::Token,
        user_id: user(user_id).user_id,
        organization_id: account.organization_id.clone(),
        merchant_id: MerchantId::parse(merchant_id).expect("an id"),
        profile_id: None,
        created_at: at(1),
        expires_at: at(900),
        last_used_at: None,
    };
    let opened = [
        session("ses_1", "ada", "bookshop"),
        session("ses_2", "ada", "stall"),
        session("ses_3", "grace", "stall"),
    ];
    store(&test, opened.clone().map(open)).await;
    let left = async || {
        let user_id = user("ada").user_id;
        let found = test.store.user_sessions(&user_id, at(2), 10).await;
        let found = found.expect("a read").into_iter();
        let ids = found.map(|(session, _)| session.session_id.to_string());
        ids.collect::<Vec<_>>()
    };
    let above = grant("ada", &account, Role::OrgAdmin, 1);
    let lower = grant("ada", &account, Role::MerchantOperator, 1);
    let end = || {
        let user_id = user("ada").user_id;
        UserChange::EndSessionsWithoutRole(user_id)
    };
    // A role in the organization is one in each of its accounts.
    store(&test, [UserChange::Grant(above.clone()), end()]).await;
    assert_eq!(left().await, ["ses_1", "ses_2"]);
    let changes = [
        UserChange::Advance(user("ada").user_id),
        UserChange::TakeAway(above),
        UserChange::Grant(lower),
        end(),
    ];
    store(&test, changes).await;
    assert_eq!(left().await, ["ses_1"]);
    let found = test.store.user_session(&opened[2].session_id).await;
    assert!(found.expect("a read").is_some(), "another user's");
    // A switch that was decided before the change isn't stored.
    let switch = |version: i64| {
        let change = UserChange::ReplaceSession {
            former: opened[0].session_id.clone(),
            session: session("ses_4", "ada", "stall"),
            client: SignInClient::default(),
            version,
        };
        test.commit(vec![changing(change)])
    };
    let late = switch(User::FIRST_VERSION).await;
    assert_eq!(late, Err(CommitError::Conflict));
    switch(User::FIRST_VERSION + 1).await.expect("a commit");
}

async fn a_second_factor_is_lacking_where_it_is_required(test: TestStore) {
    bookshop(&test, &["ada"]).await;
    let user_id = user("ada").user_id;
    let state = async || {
        let required = test.store.requires_second_factor(&shop()).await;
        let lacks = test.store.lacks_second_factor(&user_id, &shop()).await;
        (required.expect("a read"), lacks.expect("a read"))
    };
    let set = |since| UserChange::RequireSecondFactor {
        merchant_id: shop(),
        since,
    };
    assert_eq!(state().await, (false, false));
    store(&test, [set(Some(at(1)))]).await;
    store(&test, [set(Some(at(2)))]).await;
    assert_eq!(state().await, (true, true));
    let begun = SecondFactor::begin(&user("ada"), at(2), &SeededRandom::new(1));
    store(&test, [UserChange::BeginSecondFactor(Box::new(begun))]).await;
    assert_eq!(state().await, (true, true), "not confirmed yet");
    let begun = test.store.second_factor(&user_id).await;
    let confirmed = SecondFactor {
        confirmed_at: Some(at(3)),
        ..begun.expect("a read").expect("a second factor")
    };
    let confirm = UserChange::UpdateSecondFactor(Box::new(confirmed));
    store(&test, [confirm]).await;
    assert_eq!(state().await, (true, false));
    let elsewhere = MerchantId::parse("stall").expect("an id");
    let lacks = test.store.lacks_second_factor(&user_id, &elsewhere).await;
    assert_eq!(lacks, Ok(false));
    store(&test, [set(None)]).await;
    store(&test, [set(None)]).await;
    assert_eq!(state().await, (false, false));
}
