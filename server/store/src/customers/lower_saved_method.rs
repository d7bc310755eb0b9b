//! Translates changes of saved payment methods to statements: the methods, their vault entries and the customer's default.

use multirail_app::customers::ports::saved_methods::SavedMethodChange;
use multirail_app::customers::ports::vault::VaultEntry;
use multirail_app::platform::ports::StoreFailure;
use multirail_domain::customers::saved_method::SavedMethod;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{Change, Invalidates, SealedFor, Sealing, Writing};

use super::cards_to_save;
use super::connector_customers;
use super::connector_mandates;
use super::delete_saved_method::{delete, delete_of_customer};
use super::method_columns;
use super::method_columns::sealed_consent;
use super::payment_tokens;
use crate::engine::{Value, Write, values};
use crate::platform::lower::Stored;

const TABLE: &str = "payment_methods";

const KEEP_CARD: &str = "insert into vault_cards (merchant_id, card_fingerprint, key_id, sealed, created_at) \
     values ($1, $2, $3, $4, $5) on conflict (merchant_id, card_fingerprint) do nothing";

const INSERT: &str = "insert into payment_methods (merchant_id, payment_method_id, version, status, payment_method_type, \
     modified_at, card_details, holder_name, nick_name, particulars, holder_name_sealed, nick_name_sealed, \
     particulars_sealed, customer_id, payment_method, card_fingerprint, created_at, last_used_at) \
     select $1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 where (select count(*) \
     from payment_methods m where m.merchant_id = $1 and m.customer_id = $13 and m.status = 'active') < $18 \
     on conflict (merchant_id, payment_method_id) do nothing";

/// The written particulars have the newest consent.
const UPDATE: &str = "update payment_methods set version = version + 1, status = $3, payment_method_type = $4, \
     modified_at = $5, card_details = $6, holder_name = $7, nick_name = $8, particulars = $9, holder_name_sealed = $10, \
     nick_name_sealed = $11, particulars_sealed = $12, consent_sealed = null \
     where merchant_id = $1 and payment_method_id = $2 and version = $13";

/// Locks the method. A deletion at the same time waits for this commit and sees its rows; if the deletion came first, there
/// is no row.
const HOLD_METHOD: &str = "update payment_methods set version = version \
     where merchant_id = $1 and customer_id = $2 and payment_method_id = $3";

const SET_DEFAULT: &str = "update customers set default_payment_method_id = $3 \
     where merchant_id = $1 and customer_id = $2 and status = 'active'";

/// Makes the first saved method the default. The statement locks the customer's row: saving another method waits for this
/// commit and counts its method, and a redaction waits and deletes the method. It changes no row if the customer was
/// redacted.
const KEEP_CUSTOMER: &str = "update customers set default_payment_method_id = coalesce(default_payment_method_id, $3) \
     where merchant_id = $1 and customer_id = $2 and status = 'active'";

/// Requires the method's row: nothing is saved if the outcome arrives after the method was deleted.
const SET_FIRST_DEFAULT: &str = "update customers set default_payment_method_id = $3 \
     where merchant_id = $1 and customer_id = $2 and status = 'active' and default_payment_method_id is null \
     and exists (select 1 from payment_methods m where m.merchant_id = $1 and m.payment_method_id = $3)";

/// Outcomes may arrive in any order.
const USED: &str = "update payment_methods set last_used_at = $3 \
     where merchant_id = $1 and payment_method_id = $2 and last_used_at < $3";

/// The first payment with the payer's agreement stays, and the newest consent. A consent before a revocation, or before the
/// method was saved again, isn't restored.
const AGREE: &str = "update payment_methods set version = version + 1, agreed_by = coalesce(agreed_by, $3), \
     consent_sealed = case when consented_at > $4 then consent_sealed else coalesce($5, consent_sealed) end, \
     consented_at = case when consented_at > $4 then consented_at else $4 end \
     where merchant_id = $1 and payment_method_id = $2 and created_at <= $4 \
     and (consent_ended_at is null or consent_ended_at < $4)";

impl Change for Stored<SavedMethodChange> {
    fn write(&self, with: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        let at = with.at;
        match &self.0 {
            SavedMethodChange::Insert {
                method,
                entry,
                room,
            } => {
                let keep = about_method(
                    KEEP_CUSTOMER,
                    &method.merchant_id,
                    &method.customer_id,
                    &method.payment_method_id,
                );
                writes.push(keep.rows(1));
                let card = entry.as_ref();
                writes.extend(card.map(|entry| keep_card(&method.merchant_id, entry, at)));
                let mut parameters = method_values(method, with.sealing)?;
                parameters.extend(values![
                    method.customer_id.as_str(),
                    method.payment_method.as_str(),
                    method.card.as_ref().map(|card| card.fingerprint.as_str()),
                    method.created_at.as_micros(),
                    method.last_used_at.as_micros(),
                    *room
                ]);
                writes.push(Write::new(INSERT, parameters));
            }
            SavedMethodChange::Update(method) => {
                let mut parameters = method_values(method, with.sealing)?;
                parameters.push(Value::from(method.version));
                writes.push(Write::new(UPDATE, parameters).on(TABLE));
            }
            SavedMethodChange::Delete(method) => delete(method, at, writes),
            SavedMethodChange::DeleteAll {
                merchant_id,
                customer_id,
            } => writes.extend(delete_of_customer(merchant_id, customer_id, at)),
            SavedMethodChange::SetDefault {
                merchant_id,
                customer_id,
                payment_method_id,
            } => writes.extend([
                hold(merchant_id, customer_id, payment_method_id).rows(1),
                about_method(SET_DEFAULT, merchant_id, customer_id, payment_method_id).rows(1),
            ]),
            SavedMethodChange::Hold(card) => {
                writes.push(cards_to_save::hold(card, with.sealing, at)?)
            }
            SavedMethodChange::SaveHeld {
                merchant_id,
                payment_id,
                attempt,
                customer_id,
                payment_method_id,
                consented_at,
                consent,
                known_by,
            } => {
                let whose = (merchant_id, customer_id);
                let consent = consent.as_deref();
                let consent = sealed_consent(consent, whose, payment_method_id, with.sealing)?;
                let attempt = (merchant_id, payment_id, *attempt);
                let reference = known_by.network_transaction_id.as_deref();
                writes.extend(cards_to_save::save(
                    attempt,
                    (*consented_at, consent),
                    reference,
                    at,
                ));
                writes.push(about_method(
                    SET_FIRST_DEFAULT,
                    merchant_id,
                    customer_id,
                    payment_method_id,
                ));
                let (merchant, id, since) = (merchant_id, payment_method_id, *consented_at);
                writes.extend(connector_mandates::keep(merchant, id, known_by, since, at));
            }
            SavedMethodChange::Learn {
                merchant_id,
                payment_id,
                payment_method_id,
                consented_at,
                known_by,
                is_agreed,
            } => {
                let (by, since) = ((merchant_id, payment_id), *consented_at);
                let id = payment_method_id;
                let know = connector_mandates::know(by, id, known_by, *is_agreed, since);
                writes.extend(know);
                writes.extend(connector_mandates::keep(
                    merchant_id,
                    id,
                    known_by,
                    since,
                    at,
                ));
            }
            SavedMethodChange::ForgetHeld {
                merchant_id,
                payment_id,
                attempt,
            } => writes.push(cards_to_save::forget(merchant_id, payment_id, *attempt)),
            SavedMethodChange::Used {
                merchant_id,
                payment_id,
                customer_id,
                payment_method_id,
                consented_at,
                consent,
                agreed,
            } => {
                let parameters = values![
                    merchant_id.as_str(),
                    payment_method_id.as_str(),
                    at.as_micros()
                ];
                let used = Write::new(USED, parameters).any_rows();
                match agreed {
                    None => writes.push(used.on(TABLE)),
                    // These change the same row.
                    Some(known_by) => {
                        let (merchant, id) = (merchant_id, payment_method_id);
                        writes.push(used);
                        let whose = (merchant, customer_id);
                        let consent = consent.as_deref();
                        let consent = sealed_consent(consent, whose, id, with.sealing)?;
                        let agreed = values![
                            merchant.as_str(),
                            id.as_str(),
                            payment_id.as_str(),
                            consented_at.as_micros(),
                            consent
                        ];
                        writes.push(Write::new(AGREE, agreed).any_rows());
                        let (by, since) = ((merchant, payment_id), *consented_at);
                        writes.extend(connector_mandates::know(by, id, known_by, true, since));
                        writes.extend(connector_mandates::keep(merchant, id, known_by, since, at));
                    }
                }
            }
            SavedMethodChange::KeepConnectorCustomer {
                merchant_id,
                customer_id,
                merchant_connector_id,
                connector_customer_id,
            } => writes.push(connector_customers::keep(
                merchant_id,
                customer_id,
                merchant_connector_id,
                connector_customer_id,
                at,
            )),
            SavedMethodChange::ForgetConnectorCustomer {
                merchant_id,
                customer_id,
                merchant_connector_id,
                connector_customer_id,
            } => writes.push(connector_customers::forget(
                merchant_id,
                customer_id,
                merchant_connector_id,
                connector_customer_id,
            )),
            SavedMethodChange::GiveTokens {
                merchant_id,
                customer_id,
                listing,
                listed_at,
                expires_at,
            } => writes.push(payment_tokens::give(
                merchant_id,
                customer_id,
                listing,
                *listed_at,
                *expires_at,
            )),
            SavedMethodChange::ClaimToken {
                merchant_id,
                token,
                payment_id,
            } => writes.push(payment_tokens::claim(merchant_id, token, payment_id)),
            SavedMethodChange::FreeToken {
                merchant_id,
                token,
                payment_id,
            } => writes.push(payment_tokens::free(merchant_id, token, payment_id)),
            SavedMethodChange::UseUpToken { merchant_id, token } => {
                writes.push(payment_tokens::use_up(merchant_id, token));
            }
        }
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    /// The vault has already sealed the card's number.
    fn sealed_for(&self) -> SealedFor<'_> {
        let method = match &self.0 {
            SavedMethodChange::Insert { method, .. } | SavedMethodChange::Update(method) => method,
            SavedMethodChange::Hold(card) => &card.method,
            SavedMethodChange::SaveHeld {
                merchant_id,
                customer_id,
                consent: Some(_),
                ..
            }
            | SavedMethodChange::Used {
                merchant_id,
                customer_id,
                consent: Some(_),
                ..
            } => return SealedFor::Payer(merchant_id, Some(customer_id)),
            SavedMethodChange::Delete(_)
            | SavedMethodChange::DeleteAll { .. }
            | SavedMethodChange::SetDefault { .. }
            | SavedMethodChange::SaveHeld { .. }
            | SavedMethodChange::Learn { .. }
            | SavedMethodChange::ForgetHeld { .. }
            | SavedMethodChange::Used { .. }
            | SavedMethodChange::KeepConnectorCustomer { .. }
            | SavedMethodChange::ForgetConnectorCustomer { .. }
            | SavedMethodChange::GiveTokens { .. }
            | SavedMethodChange::ClaimToken { .. }
            | SavedMethodChange::FreeToken { .. }
            | SavedMethodChange::UseUpToken { .. } => return SealedFor::Nobody,
        };
        SealedFor::Payer(&method.merchant_id, Some(&method.customer_id))
    }

    fn audited(&self) -> Option<Named> {
        let id = match &self.0 {
            SavedMethodChange::Insert { method, .. }
            | SavedMethodChange::Update(method)
            | SavedMethodChange::Delete(method) => &method.payment_method_id,
            SavedMethodChange::SetDefault {
                payment_method_id, ..
            } => payment_method_id,
            SavedMethodChange::DeleteAll { .. }
            | SavedMethodChange::Hold(_)
            | SavedMethodChange::SaveHeld { .. }
            | SavedMethodChange::Learn { .. }
            | SavedMethodChange::ForgetHeld { .. }
            | SavedMethodChange::Used { .. }
            | SavedMethodChange::KeepConnectorCustomer { .. }
            | SavedMethodChange::ForgetConnectorCustomer { .. }
            | SavedMethodChange::GiveTokens { .. }
            | SavedMethodChange::ClaimToken { .. }
            | SavedMethodChange::FreeToken { .. }
            | SavedMethodChange::UseUpToken { .. } => return None,
        };
        Some(Named::new("payment_method", id.as_str()))
    }
}

fn keep_card(merchant_id: &MerchantId, entry: &VaultEntry, at: Timestamp) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        entry.fingerprint.as_str(),
        entry.key_id.as_str(),
        entry.sealed.clone(),
        at.as_micros()
    ];
    Write::new(KEEP_CARD, parameters).any_rows()
}

/// Locks a customer's method, so that nothing deletes it before the rows of this commit are stored.
pub(crate) fn hold(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    payment_method_id: &PaymentMethodId,
) -> Write {
    about_method(HOLD_METHOD, merchant_id, customer_id, payment_method_id)
}

pub(super) fn about_method(
    sql: &'static str,
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    payment_method_id: &PaymentMethodId,
) -> Write {
    let parameters = values![
        merchant_id.as_str(),
        customer_id.as_str(),
        payment_method_id.as_str()
    ];
    Write::new(sql, parameters).any_rows()
}

/// Returns `$1` to `$12`: merchant, id, and the columns that an update may change.
fn method_values(method: &SavedMethod, keys: &dyn Sealing) -> Result<Vec<Value>, StoreFailure> {
    let mut values = values![
        method.merchant_id.as_str(),
        method.payment_method_id.as_str(),
        method.status.as_str(),
        method.payment_method_type.map(|kind| kind.as_str()),
        method.modified_at.as_micros()
    ];
    values.extend(method_columns::values(method, keys)?);
    Ok(values)
}
