//! Deletes saved payment methods, their vault entries and the references at processors.

use multirail_domain::customers::saved_method::SavedMethod;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::timestamp::Timestamp;

use super::cards_to_save;
use super::connector_customers;
use super::connector_mandates;
use super::lower_saved_method::about_method;
use super::mandates;
use crate::engine::{Value, Write, values};

const DELETE: &str = "delete from payment_methods where merchant_id = $1 and payment_method_id = $2 and version = $3";

/// Deletes a card that no method refers to. A foreign key keeps a card that gets a method in the same moment.
const DROP_CARD: &str = "delete from vault_cards where merchant_id = $1 and card_fingerprint = $2 and not exists \
     (select 1 from payment_methods m where m.merchant_id = $1 and m.card_fingerprint = $2)";

/// Methods refer to their cards, so the cards are deleted last. The first statement marks the customer's cards while the
/// methods still name them.
const DELETE_OF_CUSTOMER: [&str; 6] = [
    cards_to_save::DELETE_OF_CUSTOMER,
    connector_mandates::DELETE_OF_CUSTOMER,
    "update vault_cards set released_by = $2 where merchant_id = $1 and card_fingerprint in \
     (select m.card_fingerprint from payment_methods m where m.merchant_id = $1 and m.customer_id = $2)",
    "delete from payment_methods where merchant_id = $1 and customer_id = $2",
    "delete from vault_cards where merchant_id = $1 and released_by = $2 and not exists (select 1 from payment_methods m \
     where m.merchant_id = $1 and m.card_fingerprint = vault_cards.card_fingerprint)",
    "update vault_cards set released_by = null where merchant_id = $1 and released_by = $2",
];

const NO_DEFAULT: &str = "update customers set default_payment_method_id = null \
     where merchant_id = $1 and customer_id = $2 and default_payment_method_id = $3";

/// Deletes everything that a customer has saved, and everything that payments under way would save. Deletions at processors
/// are scheduled. Mandates come last, because a payment that grants one locks the method until the mandate is stored.
pub(crate) fn delete_of_customer(
    merchant_id: &MerchantId,
    customer_id: &CustomerId,
    at: Timestamp,
) -> impl Iterator<Item = Write> {
    let methods = DELETE_OF_CUSTOMER.into_iter().map(|sql| {
        let parameters = values![merchant_id.as_str(), customer_id.as_str()];
        Write::new(sql, parameters).any_rows()
    });
    let revoke = mandates::revoke_of_customer(merchant_id, customer_id);
    let filed = connector_customers::file_customer(merchant_id, customer_id, at);
    let filed = filed.into_iter();
    filed.chain(methods).chain(std::iter::once(revoke))
}

/// Deletes a method, and what payments under way would save as this method: its customer wants it gone. Held rows come first,
/// in the order in which an approval locks them.
pub(super) fn delete(method: &SavedMethod, at: Timestamp, writes: &mut Vec<Write>) {
    let (merchant_id, id) = (&method.merchant_id, &method.payment_method_id);
    let key = || values![merchant_id.as_str(), id.as_str()];
    let mut parameters = key();
    parameters.push(Value::from(method.version));
    writes.push(about_method(
        cards_to_save::DELETE_OF_METHOD,
        merchant_id,
        &method.customer_id,
        id,
    ));
    writes.push(Write::new(DELETE, parameters));
    writes.push(connector_customers::file_method(merchant_id, id, at));
    writes.push(Write::new(connector_mandates::DELETE, key()).any_rows());
    if let Some(card) = &method.card {
        let card = values![merchant_id.as_str(), card.fingerprint.as_str()];
        writes.push(Write::new(DROP_CARD, card).any_rows());
    }
    writes.push(about_method(
        NO_DEFAULT,
        merchant_id,
        &method.customer_id,
        id,
    ));
}
