//! Tests of links by which users choose a password, and of the offers that they take up.

use multirail_identity_domain::{
    Grant, Invitation, PASSWORD_LINK_SECONDS, PasswordLink, Role, RolePlace,
};
use multirail_kernel::ids::{MerchantId, OrganizationId};
use multirail_store::fixture::on_both_engines;

use super::test_users::{TestStore, ada, at, store};
use crate::ports::{UserChange, UserStore};

on_both_engines! {
    an_offer_of_the_same_role_keeps_its_time
    a_used_link_ends_the_others_but_those_of_other_offers
}

async fn stored_user(test: &TestStore) {
    test.merchant("bookshop").await;
    store(test, [UserChange::Insert(Box::new(ada()))]).await;
}

/// Returns an offer that was made at this second.
fn offer(merchant_id: &str, role: Role, made: i64) -> Invitation {
    Invitation {
        grant: Grant {
            user_id: ada().user_id,
            organization_id: OrganizationId::parse("org_1").expect("an id"),
            merchant_id: MerchantId::parse(merchant_id).expect("an id"),
            role,
            created_at: at(made),
        },
        expires_at: at(made + PASSWORD_LINK_SECONDS),
        invited_by: None,
    }
}

/// Returns a link that was made at this second.
fn link(hash: &str, offer: Option<RolePlace>, made: i64) -> PasswordLink {
    PasswordLink {
        hash: hash.to_owned(),
        user_id: ada().user_id,
        expires_at: at(made + PASSWORD_LINK_SECONDS),
        offer,
    }
}

async fn an_offer_of_the_same_role_keeps_its_time(test: TestStore) {
    stored_user(&test).await;
    let times = async |offer: Invitation| {
        store(&test, [UserChange::Invite(offer)]).await;
        let found = test.store.invitations(&ada().user_id).await;
        let found = found.expect("a read").remove(0);
        (found.grant.created_at, found.expires_at)
    };
    let low = |made| offer("bookshop", Role::MerchantOperator, made);
    times(low(10)).await;
    let expires_at = low(20).expires_at;
    assert_eq!(times(low(20)).await, (at(10), expires_at));
    let high = offer("bookshop", Role::MerchantAdmin, 30);
    let expires_at = high.expires_at;
    assert_eq!(times(high).await, (at(30), expires_at));
}

async fn a_used_link_ends_the_others_but_those_of_other_offers(test: TestStore) {
    stored_user(&test).await;
    let high = offer("bookshop", Role::MerchantAdmin, 20);
    let place = || Some(high.grant.place());
    let stall = offer("stall", Role::MerchantOperator, 5).grant.place();
    let (low, next) = (link("low", place(), 10), link("high", place(), 20));
    let links = [
        low.clone(),
        link("low again", place(), 12),
        link("only a password", None, 15),
        link("stall", Some(stall), 5),
        next.clone(),
        link("high again", place(), 25),
    ];
    store(&test, [UserChange::Invite(high.clone())]).await;
    let added = links.clone().map(UserChange::AddPasswordLink);
    store(&test, added).await;
    let left = async || {
        let mut left = Vec::new();
        for link in &links {
            let found = test.store.password_link(&link.hash).await;
            if found.expect("a read").is_some() {
                left.push(link.hash.as_str());
            }
        }
        left
    };
    assert_eq!(left().await.len(), 6);
    // The offer of this link was replaced. Its holder may still take up the later one, by the link to that.
    store(&test, [UserChange::UsePasswordLink(low)]).await;
    assert_eq!(left().await, ["stall", "high", "high again"]);
    let taken_up = [
        UserChange::UsePasswordLink(next),
        UserChange::EndInvitation(high),
    ];
    store(&test, taken_up).await;
    assert_eq!(left().await, ["stall"]);
}
