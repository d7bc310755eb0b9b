//! What tells who holds a saved method, as it rests: sealed with the customer's key, each part in a column of its own because
//! a later payment renews them one by one. Where merchants have no keys yet it stands in the columns of servers of before.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::seal::Subject;
use multirail_domain::customers::saved_method::{MethodParticulars, SavedMethod};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_kernel::secret::SecretText;
use multirail_platform::{PayerKey, Sealing};
use multirail_sdk::card::{CardHolder, CardRecord};

use crate::engine::{Row, Value};
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::OpenKeys;

crate::platform::record::records! {
    MethodParticulars: "payment_methods.particulars",
}

pub(crate) const HOLDER_NAME: &str = "holder_name";
pub(crate) const NICK_NAME: &str = "nick_name";
pub(crate) const PARTICULARS: &str = "particulars";
/// Their sealed columns.
pub(crate) const HOLDER_NAME_SEALED: &str = "holder_name_sealed";
pub(crate) const NICK_NAME_SEALED: &str = "nick_name_sealed";
pub(crate) const PARTICULARS_SEALED: &str = "particulars_sealed";

pub(crate) const SEALED: [&str; 3] = [HOLDER_NAME_SEALED, NICK_NAME_SEALED, PARTICULARS_SEALED];

/// What stands in `particulars` where there are none, or they are sealed.
pub(crate) const NO_PARTICULARS: &str = "{}";

/// What stands in `card_details` where there is no card. It reads as no card's, so that a server of before leaves the row out.
const NO_CARD: &str = "{}";

/// What a part of a method is sealed for, wherever its row stands.
pub(crate) const HOLDER_NAME_PLACE: &str = "payment_methods.holder_name";
pub(crate) const NICK_NAME_PLACE: &str = "payment_methods.nick_name";
pub(crate) const PARTICULARS_PLACE: &str = "payment_methods.particulars";

/// A method's columns of what may be shown of it: `$n` to `$n + 6`.
pub(crate) fn values(method: &SavedMethod, keys: &dyn Sealing) -> Result<[Value; 7], StoreFailure> {
    let (details, holder) = match &method.card {
        Some(card) => {
            // The holder rests in the columns beside it.
            let without_holder = CardRecord {
                details: card.details.clone(),
                holder: CardHolder::default(),
            };
            (record::write(&without_holder)?, card.holder.clone())
        }
        None => (NO_CARD.to_owned(), CardHolder::default()),
    };
    let particulars = Some(record::write(&method.particulars)?);
    let particulars = particulars.filter(|text| text != NO_PARTICULARS);
    let parts = [
        (HOLDER_NAME_PLACE, holder.name),
        (NICK_NAME_PLACE, holder.nick_name),
        (PARTICULARS_PLACE, particulars),
    ];
    let subject = subject_of(method);
    let (clear, sealed) = match keys.of_payer(&subject.merchant_id, subject.customer_id.as_ref()) {
        // An account rests in the clear nowhere: such a merchant's is sealed with the key of the service.
        PayerKey::None if method.particulars.bank_account.is_some() => {
            let sealed = parts.map(|(begins_with, text)| {
                let place = place(begins_with, &method.merchant_id, &method.payment_method_id);
                text.map(|text| keys.seal_for(&subject, &place, &SecretText::new(text)))
            });
            ([None, None, None], sealed)
        }
        PayerKey::None => (parts.map(|(_, text)| text), [None, None, None]),
        PayerKey::Destroyed => ([None, None, None], [None, None, None]),
        PayerKey::Key(key) => {
            let sealed = parts.map(|(begins_with, text)| {
                let place = place(begins_with, &method.merchant_id, &method.payment_method_id);
                text.map(|text| key.seal(&place, &SecretText::new(text)))
            });
            ([None, None, None], sealed)
        }
    };
    let [holder_name, nick_name, particulars] = clear;
    let [holder_sealed, nick_sealed, particulars_sealed] = sealed;
    Ok([
        Value::from(details),
        Value::from(holder_name),
        Value::from(nick_name),
        Value::from(particulars.unwrap_or_else(|| NO_PARTICULARS.to_owned())),
        Value::from(holder_sealed),
        Value::from(nick_sealed),
        Value::from(particulars_sealed),
    ])
}

/// The holder of a row, and the rest. What a server of before wrote is newer than what is sealed beside it.
pub(crate) fn read(
    row: &Row,
    merchant_id: &MerchantId,
    id: &PaymentMethodId,
    keys: &OpenKeys<'_>,
) -> Result<(CardHolder, MethodParticulars), StoreFailure> {
    let part = |clear: Option<String>, column: &str, begins_with: &str| {
        if clear.is_some() {
            return Ok(clear);
        }
        let Some(sealed) = row.opt_bytes(column).map_err(failure)? else {
            return Ok(None);
        };
        let text = keys.open_bytes(&place(begins_with, merchant_id, id), &sealed)?;
        Ok(Some(text.expose().to_owned()))
    };
    let clear = |column| row.opt_text(column).map_err(failure);
    let holder = CardHolder {
        name: part(clear(HOLDER_NAME)?, HOLDER_NAME_SEALED, HOLDER_NAME_PLACE)?,
        nick_name: part(clear(NICK_NAME)?, NICK_NAME_SEALED, NICK_NAME_PLACE)?,
    };
    let particulars = clear(PARTICULARS)?.filter(|text| text != NO_PARTICULARS);
    let particulars = part(particulars, PARTICULARS_SEALED, PARTICULARS_PLACE)?;
    let particulars = match particulars {
        Some(text) => record::parse(&text)?,
        None => MethodParticulars::default(),
    };
    Ok((holder, particulars))
}

fn place(begins_with: &str, merchant_id: &MerchantId, id: &PaymentMethodId) -> String {
    format!("{begins_with}:{merchant_id}/{id}")
}

pub(crate) fn subject_of(method: &SavedMethod) -> Subject {
    Subject::customer(&method.merchant_id, &method.customer_id)
}

/// The same of a row.
pub(crate) fn subject_of_row(row: &Row) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let customer_id = CustomerId::parse(row.str("customer_id").map_err(failure)?);
    Ok(Subject::customer(
        &record::id(merchant_id)?,
        &record::id(customer_id)?,
    ))
}
