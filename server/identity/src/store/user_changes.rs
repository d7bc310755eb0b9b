//! The statements of each change to users, and its entry in the audit log.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_kernel::audit::Named;
use multirail_platform::{Change, Changes, Invalidates, SealedFor, Writing};
use multirail_sql::Write;

use super::identities;
use super::operator_sessions;
use super::password_links;
use super::password_mails;
use super::saved_views;
use super::second_factor_rules;
use super::second_factors;
use super::sign_in_links;
use super::team;
use super::user_invitations;
use super::user_roles;
use super::user_sessions;
use super::users;
use super::users::SqlUsers;
use crate::ports::UserChange;

impl Changes<UserChange> for SqlUsers {
    fn change(&self, change: UserChange) -> Box<dyn Change> {
        Box::new(change)
    }
}

impl Change for UserChange {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        match self {
            UserChange::Insert(user) => {
                writes.push(users::insert(user, with.sealing)?.or_duplicate(duplicate::USER));
            }
            UserChange::Update(user) => writes.push(users::update(user, with.sealing)?),
            UserChange::Grant(grant) => writes.push(user_roles::give(grant)),
            UserChange::TakeAway(grant) => writes.push(user_roles::take_away(grant)),
            UserChange::ReplaceRole { former, role } => {
                writes.push(team::replace_role(former, *role));
            }
            UserChange::KeepAdmin { leaving, place } => {
                writes.extend(team::keep_admin(leaving, place));
            }
            UserChange::Invite(invitation) => writes.push(user_invitations::invite(invitation)),
            UserChange::EndInvitation(invitation) => writes.push(user_invitations::end(invitation)),
            UserChange::WithdrawOffers { inviter, place } => {
                writes.push(user_invitations::withdraw(inviter, place));
            }
            UserChange::HoldRole(grant) => writes.push(team::replace_role(grant, grant.role)),
            UserChange::Link { link, version } => {
                writes.push(users::hold(&link.user_id, *version));
                writes.push(identities::link(link).or_duplicate(duplicate::IDENTITY));
            }
            UserChange::Unlink(user_id) => writes.push(identities::unlink(user_id)),
            UserChange::OpenSession {
                session,
                client,
                version,
            } => {
                writes.push(users::hold(&session.user_id, *version));
                writes.push(team::note_sign_in(session));
                writes.push(user_sessions::open(session, client, with.sealing)?);
            }
            UserChange::EndSession {
                user_id,
                session_id,
            } => writes.push(user_sessions::end(user_id, session_id)),
            UserChange::ReplaceSession {
                former,
                session,
                client,
                version,
            } => {
                writes.push(users::hold(&session.user_id, *version));
                writes.push(team::note_sign_in(session));
                writes.push(user_sessions::replace(
                    former,
                    session,
                    client,
                    with.sealing,
                )?);
            }
            UserChange::EndSessions { user_id, except } => {
                // The row of the user comes first: a sign-in that holds it is stored, and ended by what follows.
                writes.push(users::advance(user_id));
                writes.push(user_sessions::end_all(user_id, except.as_ref()));
                writes.push(second_factors::drop_steps(user_id));
                writes.push(sign_in_links::drop_all(user_id));
            }
            UserChange::Advance(user_id) => writes.push(users::advance(user_id)),
            UserChange::EndSessionsWithoutRole(user_id) => {
                writes.push(user_sessions::end_without_role(user_id));
            }
            UserChange::EndSessionsIn {
                user_id,
                place,
                except,
            } => {
                writes.push(users::advance(user_id));
                writes.push(user_sessions::end_in(user_id, place, except.as_ref()));
            }
            UserChange::BeginSecondFactor(factor) => {
                writes.push(second_factors::begin(factor, with.sealing)?);
            }
            UserChange::UpdateSecondFactor(factor) => {
                writes.push(second_factors::update(factor, with.sealing)?);
            }
            UserChange::EndSecondFactor(factor) => {
                writes.push(second_factors::end(factor));
                writes.push(second_factors::drop_steps(&factor.user_id));
            }
            UserChange::RequireSecondFactor { merchant_id, since } => {
                writes.push(second_factor_rules::set(merchant_id, *since));
            }
            UserChange::AddSecondStep { step, version } => {
                writes.push(users::hold(&step.user_id, *version));
                writes.push(second_factors::add_step(step));
            }
            UserChange::UseSecondStep(step) => writes.push(second_factors::use_step(step)),
            UserChange::AskForMail(request) => writes.push(password_mails::ask(request)),
            UserChange::AddSignInLink(link) => writes.push(sign_in_links::add(link)),
            UserChange::UseSignInLink(link) => writes.push(sign_in_links::take(link)),
            UserChange::OpenOperatorSession(session) => {
                writes.push(operator_sessions::open(session));
            }
            UserChange::EndOperatorSession(hash) => writes.push(operator_sessions::end(hash)),
            UserChange::AddPasswordLink(link) => writes.push(password_links::add(link)),
            UserChange::UsePasswordLink(link) => {
                writes.push(password_links::take(link));
                writes.push(password_links::drop_others(link));
            }
            UserChange::SaveView(view) => writes.extend(saved_views::save(view, with.dialect)),
            UserChange::DeleteView {
                user_id,
                merchant_id,
                saved_view_id,
            } => writes.push(saved_views::delete(user_id, merchant_id, saved_view_id)),
            UserChange::DeleteViewsWithoutRole(user_id) => {
                writes.push(saved_views::delete_without_role(user_id));
            }
            UserChange::DeleteViewsOfAccount(merchant_id) => {
                writes.push(saved_views::delete_of_account(merchant_id));
            }
        }
        Ok(())
    }

    /// Users are read from the database at each use, so there is no cache to invalidate.
    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Merchant(match self {
            UserChange::Insert(user) | UserChange::Update(user) => &user.home_merchant_id,
            UserChange::OpenSession { session, .. }
            | UserChange::ReplaceSession { session, .. } => &session.merchant_id,
            UserChange::BeginSecondFactor(factor) | UserChange::UpdateSecondFactor(factor) => {
                &factor.home_merchant_id
            }
            UserChange::Grant(_)
            | UserChange::TakeAway(_)
            | UserChange::ReplaceRole { .. }
            | UserChange::KeepAdmin { .. }
            | UserChange::Invite(_)
            | UserChange::EndInvitation(_)
            | UserChange::WithdrawOffers { .. }
            | UserChange::HoldRole(_)
            | UserChange::Link { .. }
            | UserChange::Unlink(_)
            | UserChange::EndSession { .. }
            | UserChange::EndSessions { .. }
            | UserChange::Advance(_)
            | UserChange::EndSessionsWithoutRole(_)
            | UserChange::EndSessionsIn { .. }
            | UserChange::EndSecondFactor(_)
            | UserChange::RequireSecondFactor { .. }
            | UserChange::AddSecondStep { .. }
            | UserChange::UseSecondStep(_)
            | UserChange::AskForMail(_)
            | UserChange::AddSignInLink(_)
            | UserChange::UseSignInLink(_)
            | UserChange::OpenOperatorSession(_)
            | UserChange::EndOperatorSession(_)
            | UserChange::AddPasswordLink(_)
            | UserChange::UsePasswordLink(_)
            | UserChange::SaveView(_)
            | UserChange::DeleteView { .. }
            | UserChange::DeleteViewsWithoutRole(_)
            | UserChange::DeleteViewsOfAccount(_) => return SealedFor::Nobody,
        })
    }

    fn audited(&self) -> Option<Named> {
        let user_id = match self {
            UserChange::Insert(user) | UserChange::Update(user) => &user.user_id,
            UserChange::Grant(grant)
            | UserChange::TakeAway(grant)
            | UserChange::ReplaceRole { former: grant, .. } => &grant.user_id,
            UserChange::Invite(invitation) | UserChange::EndInvitation(invitation) => {
                &invitation.grant.user_id
            }
            UserChange::Link { link, .. } => &link.user_id,
            UserChange::Unlink(user_id)
            | UserChange::EndSessions { user_id, .. }
            | UserChange::Advance(user_id)
            | UserChange::EndSessionsWithoutRole(user_id)
            | UserChange::EndSessionsIn { user_id, .. } => user_id,
            UserChange::BeginSecondFactor(factor)
            | UserChange::UpdateSecondFactor(factor)
            | UserChange::EndSecondFactor(factor) => &factor.user_id,
            UserChange::RequireSecondFactor { merchant_id, .. } => {
                return Some(Named::new("merchant_account", merchant_id.as_str()));
            }
            UserChange::KeepAdmin { .. }
            | UserChange::WithdrawOffers { .. }
            | UserChange::HoldRole(_)
            | UserChange::OpenSession { .. }
            | UserChange::EndSession { .. }
            | UserChange::ReplaceSession { .. }
            | UserChange::AddSecondStep { .. }
            | UserChange::UseSecondStep(_)
            | UserChange::AskForMail(_)
            | UserChange::AddSignInLink(_)
            | UserChange::UseSignInLink(_)
            | UserChange::OpenOperatorSession(_)
            | UserChange::EndOperatorSession(_)
            | UserChange::AddPasswordLink(_)
            | UserChange::UsePasswordLink(_)
            | UserChange::SaveView(_)
            | UserChange::DeleteView { .. }
            | UserChange::DeleteViewsWithoutRole(_)
            | UserChange::DeleteViewsOfAccount(_) => return None,
        };
        Some(Named::new("user", user_id.as_str()))
    }
}
