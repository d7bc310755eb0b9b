//! Change-sets to statements: every change in its order, then the row that proves the whole of it.

use multirail_app::ports::change_set::KeyClaim;
use multirail_app::ports::{Actor, Change, ChangeSet, StoreFailure};
use multirail_domain::secret::SecretText;

use super::engine::{Write, values};
use super::{
    SqlStore, deliveries, events, held_cards, held_credentials, idempotency, lapsed,
    lower_accounts, lower_payment, settings,
};

const INSERT_CHANGE_SET: &str = "insert into change_sets (change_set_id, merchant_id, actor, request_id, committed_at) \
     values ($1, $2, $3, $4, $5)";

impl SqlStore {
    pub(super) fn lower(&self, change_set: &ChangeSet) -> Result<Vec<Write>, StoreFailure> {
        let mut writes = Vec::with_capacity(change_set.changes.len() * 2 + 1);
        for change in &change_set.changes {
            self.lower_change(change, change_set, &mut writes)?;
        }
        let change_set = Write::new(
            INSERT_CHANGE_SET,
            values![
                change_set.id.as_str(),
                change_set.merchant_id.as_ref().map(|id| id.as_str()),
                actor(&change_set.actor),
                change_set.request_id.as_deref(),
                change_set.at.as_micros()
            ],
        );
        writes.push(change_set.on("change_sets").certain());
        Ok(writes)
    }

    fn lower_change(
        &self,
        change: &Change,
        change_set: &ChangeSet,
        writes: &mut Vec<Write>,
    ) -> Result<(), StoreFailure> {
        match change {
            Change::InsertPayment(payment) => {
                lower_payment::insert(payment, self.in_flight_seconds, writes)
            }
            Change::UpdatePayment { before, after } => {
                lower_payment::update(before, after, self.in_flight_seconds, writes)
            }
            Change::HoldCard {
                merchant_id,
                payment_id,
                card,
                expires_at,
            } => {
                let seal = self.seal.as_ref();
                writes.push(held_cards::hold(
                    seal,
                    merchant_id,
                    payment_id,
                    card,
                    *expires_at,
                ));
                Ok(())
            }
            Change::ForgetCard {
                merchant_id,
                payment_id,
            } => {
                writes.push(held_cards::forget(merchant_id, payment_id));
                Ok(())
            }
            Change::HoldCredentials {
                merchant_id,
                payment_id,
                attempt,
                credentials,
                expires_at,
            } => {
                let place = held_credentials::Place {
                    merchant_id,
                    payment_id,
                    attempt: *attempt,
                };
                let seal = self.seal.as_ref();
                writes.push(held_credentials::hold(
                    seal,
                    &place,
                    credentials,
                    *expires_at,
                ));
                Ok(())
            }
            Change::ForgetCredentials {
                merchant_id,
                payment_id,
                attempt,
            } => {
                writes.push(held_credentials::forget(&held_credentials::Place {
                    merchant_id,
                    payment_id,
                    attempt: *attempt,
                }));
                Ok(())
            }
            Change::ForgetLapsed {
                merchant_id,
                payment_id,
            } => {
                writes.extend(lapsed::forget(merchant_id, payment_id, change_set.at));
                Ok(())
            }
            Change::PutOffLapse {
                merchant_id,
                payment_id,
                expires_at,
            } => {
                writes.extend(lapsed::put_off(merchant_id, payment_id, *expires_at));
                Ok(())
            }
            Change::RecordEvent(event) => {
                writes.push(events::record(event, self.seal.as_ref()));
                // Where somebody is to be told.
                writes.extend(event.deliver_at.map(|at| deliveries::queue(event, at)));
                Ok(())
            }
            Change::ClaimKey(claim) => {
                let answer = answer_to(change_set, claim);
                writes.push(idempotency::claim(self.seal.as_ref(), claim, answer)?);
                Ok(())
            }
            // It went with its claim.
            Change::StoreAnswer { .. } if claims_key(change_set) => Ok(()),
            Change::StoreAnswer {
                merchant_id,
                operation,
                key,
                answer,
            } => {
                let seal = self.seal.as_ref();
                writes.push(idempotency::answer(
                    seal,
                    merchant_id,
                    operation,
                    key,
                    answer,
                ));
                Ok(())
            }
            Change::ReleaseKey {
                merchant_id,
                operation,
                key,
                lease_until,
            } => {
                writes.push(idempotency::release(
                    merchant_id,
                    operation,
                    key,
                    *lease_until,
                ));
                Ok(())
            }
            Change::AdvanceClock { seconds } => {
                writes.push(settings::advance_clock(*seconds));
                Ok(())
            }
            Change::InsertOrganization(_)
            | Change::InsertMerchant(_)
            | Change::UpdateMerchant(_)
            | Change::DeleteMerchant { .. }
            | Change::InsertProfile(_)
            | Change::UpdateProfile(_)
            | Change::InsertApiKey(_)
            | Change::UpdateApiKey(_)
            | Change::DeleteApiKey { .. }
            | Change::InsertConnectorAccount(_)
            | Change::UpdateConnectorAccount(_)
            | Change::DeleteConnectorAccount { .. } => {
                lower_accounts::lower(change, self.seal.as_ref(), change_set.at, writes)
            }
        }
    }
}

/// A request has one key, so a change-set that claims one has its answer too or nothing.
fn claims_key(change_set: &ChangeSet) -> bool {
    let claims = |change: &Change| matches!(change, Change::ClaimKey(_));
    change_set.changes.iter().any(claims)
}

/// The answer that is stored in the same commit as the claim, where one commit is all.
fn answer_to<'a>(change_set: &'a ChangeSet, claim: &KeyClaim) -> Option<&'a SecretText> {
    change_set.changes.iter().find_map(|change| match change {
        Change::StoreAnswer { key, answer, .. } if *key == claim.key => Some(answer),
        _ => None,
    })
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Admin => "admin".to_owned(),
        Actor::ApiKey(key_id) => format!("api_key:{key_id}"),
        Actor::Client => "client".to_owned(),
        Actor::Payer => "payer".to_owned(),
        Actor::Worker(name) => format!("worker:{name}"),
        Actor::Startup => "startup".to_owned(),
    }
}
