//! Tests of changed roles, and of the last admin.

use multirail_kernel::ids::UserId;

use super::*;

const SOMEBODY: OtherAdmins = OtherAdmins {
    of_organization: true,
    of_account: true,
};
const NOBODY: OtherAdmins = OtherAdmins {
    of_organization: false,
    of_account: false,
};

fn grant(merchant: &str, role: Role) -> Grant {
    Grant {
        user_id: UserId::parse("user_1").expect("an id"),
        organization_id: OrganizationId::parse("org_1").expect("an id"),
        merchant_id: MerchantId::parse(merchant).expect("an id"),
        role,
        created_at: Timestamp::EPOCH,
    }
}

fn offer(merchant: &str, role: Role) -> Invitation {
    Invitation {
        grant: grant(merchant, role),
        expires_at: Timestamp::from_micros(10),
        invited_by: None,
    }
}

/// Returns the roles in the account `books`, before the offers expire.
fn there(grants: &[Grant], offers: &[Invitation]) -> MemberRoles {
    at(grants, offers, 9)
}

fn at(grants: &[Grant], offers: &[Invitation], micros: i64) -> MemberRoles {
    let organization_id = OrganizationId::parse("org_1").expect("an id");
    let merchant_id = MerchantId::parse("books").expect("an id");
    let now = Timestamp::from_micros(micros);
    let all = (grants.to_vec(), offers.to_vec());
    MemberRoles::in_account(all, &organization_id, &merchant_id, now)
}

fn code<T: std::fmt::Debug>(decided: Result<T, Refusal>) -> &'static str {
    match decided.expect_err("a refusal") {
        Refusal::NotFound { .. } => "not found",
        Refusal::NotAllowed { .. } => "not allowed",
        Refusal::Precondition { .. } => "precondition",
        other => panic!("{other}"),
    }
}

#[test]
fn a_standing_counts_what_is_open_in_the_account_or_its_organization() {
    let held = [
        grant("books", Role::MerchantOperator),
        grant("stall", Role::MerchantAdmin),
    ];
    let offers = [
        offer("books", Role::MerchantAdmin),
        offer("stall", Role::MerchantAdmin),
    ];
    let (role, offered) = (Some(Role::MerchantOperator), Some(Role::MerchantAdmin));
    assert_eq!(
        there(&held, &offers).standing(),
        Standing::of(role, offered)
    );
    assert_eq!(
        at(&held, &offers, 10).standing(),
        Standing::of(role, None),
        "lapsed"
    );
    assert_eq!(there(&held[1..], &offers[1..]).standing(), None);
    let above = there(&[grant("stall", Role::OrgAdmin)], &[]).standing();
    assert_eq!(above, Standing::of(Some(Role::OrgAdmin), None));
}

#[test]
fn nobody_manages_a_person_above_them_and_nobody_outside() {
    let own = Role::MerchantAdmin;
    let stranger = there(&[grant("stall", Role::MerchantOperator)], &[]);
    assert_eq!(code(stranger.removed(own, SOMEBODY)), "not found");
    for above in [
        there(&[grant("books", Role::OrgAdmin)], &[]),
        there(&[], &[offer("books", Role::OrgAdmin)]),
        there(
            &[grant("books", Role::MerchantOperator)],
            &[offer("books", Role::OrgAdmin)],
        ),
    ] {
        assert_eq!(code(above.removed(own, SOMEBODY)), "not allowed");
        let changed = above.changed(own, Role::MerchantViewOnly, SOMEBODY);
        assert_eq!(code(changed), "not allowed");
    }
    let equal = there(&[grant("books", own)], &[]);
    assert!(equal.removed(own, SOMEBODY).is_ok());
    let raised = equal.changed(own, Role::OrgAdmin, SOMEBODY);
    assert_eq!(code(raised), "not allowed");
}

#[test]
fn a_role_is_replaced_by_one_of_its_kind_or_ends_for_one_of_the_other() {
    let own = Role::OrgAdmin;
    let operators = [grant("books", Role::MerchantOperator)];
    let offers = [offer("books", Role::MerchantAdmin)];
    let change = there(&operators, &offers)
        .changed(own, Role::MerchantDeveloper, NOBODY)
        .expect("a change");
    assert_eq!(
        change,
        RoleChange {
            replaced: Some((operators[0].clone(), Role::MerchantDeveloper)),
            withdrawn: offers.to_vec(),
            ..RoleChange::default()
        }
    );
    let raised = there(&operators, &[]).changed(own, Role::OrgAdmin, NOBODY);
    assert_eq!(
        raised.expect("a change"),
        RoleChange {
            taken: operators.to_vec(),
            given: Some(grant("books", Role::OrgAdmin)),
            ..RoleChange::default()
        }
    );
    let same = there(&operators, &[]).changed(own, Role::MerchantOperator, NOBODY);
    assert!(same.expect("no change").is_empty());
    let admins = [grant("stall", Role::OrgAdmin)];
    let lowered = there(&admins, &[]).changed(own, Role::MerchantAdmin, SOMEBODY);
    assert_eq!(
        lowered.expect("a change"),
        RoleChange {
            keeps: Some(AdminOf::Organization),
            taken: admins.to_vec(),
            given: Some(grant("books", Role::MerchantAdmin)),
            ..RoleChange::default()
        }
    );
    let invited = there(&[], &offers).changed(own, Role::MerchantDeveloper, SOMEBODY);
    assert_eq!(code(invited), "precondition");
}

#[test]
fn the_last_admin_stays() {
    let own = Role::OrgAdmin;
    let of_organization = there(&[grant("books", Role::OrgAdmin)], &[]);
    let of_account = there(&[grant("books", Role::MerchantAdmin)], &[]);
    // An admin of the account doesn't replace one of the organization, which has other accounts.
    let in_account = OtherAdmins {
        of_organization: false,
        of_account: true,
    };
    for (roles, others) in [(&of_organization, in_account), (&of_account, NOBODY)] {
        assert_eq!(code(roles.removed(own, others)), "precondition");
        let lowered = roles.changed(own, Role::MerchantViewOnly, others);
        assert_eq!(code(lowered), "precondition");
    }
    let removed = of_account.removed(own, in_account).expect("a change");
    assert_eq!(removed.keeps, Some(AdminOf::Account));
    // A new admin of the organization is still one of the account.
    let raised = of_account.changed(own, Role::OrgAdmin, NOBODY);
    assert_eq!(raised.expect("a change").keeps, None);
    let viewer = there(&[grant("books", Role::MerchantViewOnly)], &[]);
    let removed = viewer.removed(own, NOBODY).expect("a change");
    assert_eq!(removed.keeps, None);
}

/// The offers of an admin end in this place.
#[test]
fn an_admin_leaves_the_place_in_which_they_are_none_any_more() {
    let account = [
        Role::MerchantDeveloper,
        Role::MerchantOperator,
        Role::MerchantViewOnly,
    ];
    let (above, admin) = (Some(Role::OrgAdmin), Some(Role::MerchantAdmin));
    let others = || account.into_iter().map(Some).chain([None]);
    for after in others().chain([admin]) {
        assert_eq!(AdminOf::ended(above, after), Some(AdminOf::Organization));
    }
    for after in others() {
        assert_eq!(AdminOf::ended(admin, after), Some(AdminOf::Account));
    }
    for stays in [above, admin] {
        assert_eq!(AdminOf::ended(admin, stays), None);
        for before in others() {
            assert_eq!(AdminOf::ended(before, stays), None);
        }
    }
    assert_eq!(AdminOf::ended(above, above), None);

    let (organization_id, merchant_id) = (
        OrganizationId::parse("org_1").expect("an id"),
        MerchantId::parse("books").expect("an id"),
    );
    let places = [AdminOf::Organization, AdminOf::Account];
    let places = places.map(|of| of.place(&organization_id, &merchant_id).merchant_id);
    assert_eq!(places, [None, Some(merchant_id)]);
}
