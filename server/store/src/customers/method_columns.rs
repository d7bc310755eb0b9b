//! Personal data of a saved method's holder, as stored: sealed with the customer's key. Each part has a column of its own,
//! because a later payment renews the parts one by one. In databases whose merchants have no keys yet, the data stays in
//! the plaintext columns of older servers.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::seal::Subject;
use multirail_domain::customers::saved_method::{MethodParticulars, SavedMethod};
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentMethodId};
use multirail_kernel::secret::SecretText;
use multirail_platform::{PayerKey, Sealing};
use multirail_sdk::card::{CardHolder, CardRecord};
use multirail_sdk::consent::Consent;

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
/// The payer's newest consent, which payments give without the other particulars.
pub(crate) const CONSENT_SEALED: &str = "consent_sealed";
/// The sealed columns.
pub(crate) const HOLDER_NAME_SEALED: &str = "holder_name_sealed";
pub(crate) const NICK_NAME_SEALED: &str = "nick_name_sealed";
pub(crate) const PARTICULARS_SEALED: &str = "particulars_sealed";

pub(crate) const SEALED: [&str; 4] = [
    HOLDER_NAME_SEALED,
    NICK_NAME_SEALED,
    PARTICULARS_SEALED,
    CONSENT_SEALED,
];

/// The value of `particulars` for a method without particulars, or whose particulars are sealed.
pub(crate) const NO_PARTICULARS: &str = "{}";

/// The value of `card_details` for a method without a card. Older servers can't parse it as a card, so they leave the row
/// out.
pub(crate) const NO_CARD: &str = "{}";

/// The place that each part of a method is sealed for, in either table.
pub(crate) const HOLDER_NAME_PLACE: &str = "payment_methods.holder_name";
pub(crate) const NICK_NAME_PLACE: &str = "payment_methods.nick_name";
pub(crate) const PARTICULARS_PLACE: &str = "payment_methods.particulars";
/// The place that the newest consent is sealed for.
pub(crate) const CONSENT_PLACE: &str = "payment_methods.consent";

/// Returns the columns with the details that may be shown: `$n` to `$n + 6`.
pub(crate) fn values(method: &SavedMethod, keys: &dyn Sealing) -> Result<[Value; 7], StoreFailure> {
    let (details, holder) = match &method.card {
        Some(card) => {
            // The holder has sealed columns of their own.
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
        // A bank account is never stored in plaintext: without a merchant key, the installation's key seals it.
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

/// Reads the holder and the other details of a row. Plaintext that an older server wrote is newer than the sealed value.
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

/// Returns the sealed consent that a payment gives; `None` without one, and for a customer who was redacted. Consents are never
/// stored in plaintext here.
pub(crate) fn sealed_consent(
    consent: Option<&Consent>,
    (merchant_id, customer_id): (&MerchantId, &CustomerId),
    id: &PaymentMethodId,
    keys: &dyn Sealing,
) -> Result<Option<Vec<u8>>, StoreFailure> {
    let Some(consent) = consent else {
        return Ok(None);
    };
    let particulars = MethodParticulars {
        consent: Some(Box::new(consent.clone())),
        ..MethodParticulars::default()
    };
    let text = SecretText::new(record::write(&particulars)?);
    let place = place(CONSENT_PLACE, merchant_id, id);
    Ok(match keys.of_payer(merchant_id, Some(customer_id)) {
        PayerKey::Key(key) => Some(key.seal(&place, &text)),
        PayerKey::Destroyed => None,
        PayerKey::None => {
            let subject = Subject::customer(merchant_id, customer_id);
            Some(keys.seal_for(&subject, &place, &text))
        }
    })
}

/// Reads the consent that a payment gave since the particulars were written, if any.
pub(crate) fn newest_consent(
    row: &Row,
    merchant_id: &MerchantId,
    id: &PaymentMethodId,
    keys: &OpenKeys<'_>,
) -> Result<Option<Box<Consent>>, StoreFailure> {
    let Some(sealed) = row.opt_bytes(CONSENT_SEALED).map_err(failure)? else {
        return Ok(None);
    };
    let text = keys.open_bytes(&place(CONSENT_PLACE, merchant_id, id), &sealed)?;
    let particulars: MethodParticulars = record::parse(text.expose())?;
    Ok(particulars.consent)
}

fn place(begins_with: &str, merchant_id: &MerchantId, id: &PaymentMethodId) -> String {
    format!("{begins_with}:{merchant_id}/{id}")
}

pub(crate) fn subject_of(method: &SavedMethod) -> Subject {
    Subject::customer(&method.merchant_id, &method.customer_id)
}

/// Returns the subject whose key seals a row.
pub(crate) fn subject_of_row(row: &Row) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let customer_id = CustomerId::parse(row.str("customer_id").map_err(failure)?);
    Ok(Subject::customer(
        &record::id(merchant_id)?,
        &record::id(customer_id)?,
    ))
}
