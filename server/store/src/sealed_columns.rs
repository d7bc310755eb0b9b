//! The one list of what rests sealed, with what has to be known to open it and to seal it anew.
//!
//! `tests/sealing_anew.rs` holds it against the schema, and puts something into every column.

use multirail_app::ports::StoreFailure;
use multirail_app::ports::seal::Subject;
use multirail_kernel::ids::MerchantId;

use super::customers;
use super::disputes;
use super::engine::{Row, Value};
use super::events;
use super::method_columns::{self, NO_PARTICULARS};
use super::payments;
use super::record::{self, failure};

/// A column of a table that holds sealed bytes, or null.
pub struct SealedColumn {
    pub table: &'static str,
    pub column: &'static str,
    /// The columns of the primary key, in their order.
    pub key: &'static [&'static str],
    /// What the place of a row begins with, and the columns whose values follow: see [`SealedColumn::place`].
    pub place: (&'static str, &'static [&'static str]),
    /// What it begins with instead in rows of a customer.
    pub place_of_customers: Option<&'static str>,
    /// Other columns that tell whose a row is.
    pub also: &'static [&'static str],
    /// The column that repeats the name of the key, where there is one.
    pub names_key: Option<&'static str>,
    /// Whose a row is.
    pub subject: fn(&Row) -> Result<Subject, StoreFailure>,
    /// Where what belongs into the column stands in rows of before it was sealed.
    pub clear: Clear,
}

/// Where something rests in the clear that is to be sealed.
pub enum Clear {
    Nowhere,
    /// In a column of the same row.
    Column {
        name: &'static str,
        part: Part,
    },
    /// In the records of a payment and of its attempts.
    Payment,
}

/// What is to be sealed of a column's text, and what is left there; nothing where the text tells of nobody.
pub type Part = fn(&str) -> Result<Option<(String, Option<String>)>, StoreFailure>;

/// All of it.
fn whole(text: &str) -> Result<Option<(String, Option<String>)>, StoreFailure> {
    Ok(Some((text.to_owned(), None)))
}

fn particulars(text: &str) -> Result<Option<(String, Option<String>)>, StoreFailure> {
    let left = Some(NO_PARTICULARS.to_owned());
    Ok((text != NO_PARTICULARS).then(|| (text.to_owned(), left)))
}

impl SealedColumn {
    /// A column that is sealed for the merchant account of its row, where it is alone in the row.
    pub const fn of_merchant(
        table: &'static str,
        column: &'static str,
        key: &'static [&'static str],
    ) -> Self {
        SealedColumn {
            table,
            column,
            key,
            place: (table, key),
            place_of_customers: None,
            also: &[],
            names_key: None,
            subject: merchant,
            clear: Clear::Nowhere,
        }
    }

    /// A part of a saved method, in either of the tables that hold some.
    const fn of_holder(
        (table, key, also): (
            &'static str,
            &'static [&'static str],
            &'static [&'static str],
        ),
        (column, place, clear, part): (&'static str, &'static str, &'static str, Part),
    ) -> Self {
        SealedColumn {
            place: (place, &["merchant_id", "payment_method_id"]),
            also,
            subject: method_columns::subject_of_row,
            clear: Clear::Column { name: clear, part },
            ..SealedColumn::of_merchant(table, column, key)
        }
    }

    /// `table.column`
    pub fn name(&self) -> String {
        format!("{}.{}", self.table, self.column)
    }

    /// The place that a row was sealed for.
    ///
    /// # Errors
    /// The row lacks a part of it.
    pub fn place(&self, row: &Row) -> Result<String, StoreFailure> {
        let (begins_with, columns) = self.place;
        let begins_with = match self.place_of_customers {
            Some(instead) if row.opt_str("customer_id").map_err(failure)?.is_some() => instead,
            Some(_) | None => begins_with,
        };
        let mut place = format!("{begins_with}:");
        for (index, column) in columns.iter().copied().enumerate() {
            if index > 0 {
                place.push('/');
            }
            match row.value(column).map_err(failure)? {
                Value::Text(text) => place.push_str(text),
                Value::Int(number) => place.push_str(&number.to_string()),
                Value::Bool(_) | Value::Bytes(_) | Value::Null(_) => {
                    let name = self.name();
                    let why = format!("{column} is no part of the place of {name}");
                    return Err(StoreFailure::Broken(why));
                }
            }
        }
        Ok(place)
    }
}

/// The vault seals for merchant and card, wherever the entry stands.
const VAULT: (&str, &[&str]) = ("vault", &["merchant_id", "card_fingerprint"]);

const SAVED: (&str, &[&str], &[&str]) = (
    "payment_methods",
    &["merchant_id", "payment_method_id"],
    &["customer_id"],
);
const TO_SAVE: (&str, &[&str], &[&str]) = (
    "cards_to_save",
    &["merchant_id", "payment_id", "attempt_number"],
    &["customer_id", "payment_method_id"],
);
const HOLDER: (&str, &str, &str, Part) = (
    method_columns::HOLDER_NAME_SEALED,
    method_columns::HOLDER_NAME_PLACE,
    method_columns::HOLDER_NAME,
    whole,
);
const NICK: (&str, &str, &str, Part) = (
    method_columns::NICK_NAME_SEALED,
    method_columns::NICK_NAME_PLACE,
    method_columns::NICK_NAME,
    whole,
);
const REST: (&str, &str, &str, Part) = (
    method_columns::PARTICULARS_SEALED,
    method_columns::PARTICULARS_PLACE,
    method_columns::PARTICULARS,
    particulars,
);

/// What of the core rests sealed, except the keys themselves (`subject_keys`, `wrapped_keys`).
pub(super) const OF_CORE: &[SealedColumn] = &[
    SealedColumn {
        place: ("merchant_accounts", &["merchant_id", "merchant_id"]),
        ..SealedColumn::of_merchant("merchant_accounts", "secrets", &["merchant_id"])
    },
    SealedColumn::of_merchant(
        "business_profiles",
        "secrets",
        &["merchant_id", "profile_id"],
    ),
    SealedColumn::of_merchant(
        "connector_accounts",
        "secrets",
        &["merchant_id", "merchant_connector_id"],
    ),
    SealedColumn {
        also: &["status"],
        subject: customers::subject_of_row,
        ..SealedColumn::of_merchant("customers", "personal", &["merchant_id", "customer_id"])
    },
    SealedColumn {
        also: &["customer_id"],
        subject: payments::subject_of_row,
        clear: Clear::Payment,
        ..SealedColumn::of_merchant(
            "payments",
            payments::PERSONAL,
            &["merchant_id", "payment_id"],
        )
    },
    SealedColumn {
        also: &["customer_id"],
        subject: payments::subject_of_row,
        clear: Clear::Column {
            name: "record",
            part: disputes::part_record,
        },
        ..SealedColumn::of_merchant(
            "disputes",
            disputes::EVIDENCE,
            &["merchant_id", "dispute_id"],
        )
    },
    SealedColumn::of_holder(SAVED, HOLDER),
    SealedColumn::of_holder(SAVED, NICK),
    SealedColumn::of_holder(SAVED, REST),
    SealedColumn::of_holder(TO_SAVE, HOLDER),
    SealedColumn::of_holder(TO_SAVE, NICK),
    SealedColumn::of_holder(TO_SAVE, REST),
    SealedColumn::of_merchant("held_cards", "sealed", &["merchant_id", "payment_id"]),
    SealedColumn::of_merchant(
        "held_credentials",
        "sealed",
        &["merchant_id", "payment_id", "attempt_number"],
    ),
    SealedColumn::of_merchant(
        "held_refund_credentials",
        "sealed",
        &["merchant_id", "refund_id"],
    ),
    SealedColumn {
        also: &["customer_id"],
        subject: payments::subject_of_row,
        ..SealedColumn::of_merchant(
            "idempotency_keys",
            "answer",
            &["merchant_id", "operation", "idempotency_key"],
        )
    },
    SealedColumn {
        place_of_customers: Some(events::PARTED_PLACE),
        also: &["customer_id"],
        ..SealedColumn::of_merchant(events::TABLE, events::BODY, &["merchant_id", "event_id"])
    },
    SealedColumn {
        place: (events::PERSONAL_PLACE, &["merchant_id", "event_id"]),
        also: &["customer_id"],
        subject: payments::subject_of_row,
        ..SealedColumn::of_merchant(
            events::TABLE,
            events::PERSONAL,
            &["merchant_id", "event_id"],
        )
    },
    SealedColumn::of_merchant("delivery_attempts", "sealed", &["merchant_id", "event_id"]),
    SealedColumn {
        also: &["merchant_id"],
        ..SealedColumn::of_merchant("notices", "content", &["notice_id"])
    },
    SealedColumn::of_merchant("evidence_files", "sealed", &["merchant_id", "file_id"]),
];

/// What the vault seals. It stands behind the columns of satellites: see [`Declared`](super::declared::Declared).
pub(super) const OF_VAULT: &[SealedColumn] = &[
    SealedColumn {
        place: VAULT,
        names_key: Some("key_id"),
        ..SealedColumn::of_merchant(
            "vault_cards",
            "sealed",
            &["merchant_id", "card_fingerprint"],
        )
    },
    SealedColumn {
        place: VAULT,
        also: &["card_fingerprint"],
        names_key: Some("key_id"),
        ..SealedColumn::of_merchant(
            "cards_to_save",
            "sealed",
            &["merchant_id", "payment_id", "attempt_number"],
        )
    },
];

fn merchant(row: &Row) -> Result<Subject, StoreFailure> {
    merchant_in(row, "merchant_id")
}

/// The merchant account that a column names.
///
/// # Errors
/// The row has none there.
pub fn merchant_in(row: &Row, column: &str) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str(column).map_err(failure)?);
    Ok(Subject::merchant(&record::id(merchant_id)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place is authenticated with what is sealed: a row that was sealed for another one can't be opened.
    #[test]
    fn places_stay_what_rows_were_sealed_for() {
        let lines = OF_CORE.iter().chain(OF_VAULT).map(|column| {
            let (begins_with, columns) = column.place;
            let customers = column.place_of_customers;
            let customers = customers.map(|place| format!(" (of a customer {place})"));
            let customers = customers.unwrap_or_default();
            let place = columns.join("/");
            format!("{}: {begins_with}:{place}{customers}", column.name())
        });
        let lines: Vec<String> = lines.collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        merchant_accounts.secrets: merchant_accounts:merchant_id/merchant_id
        business_profiles.secrets: business_profiles:merchant_id/profile_id
        connector_accounts.secrets: connector_accounts:merchant_id/merchant_connector_id
        customers.personal: customers:merchant_id/customer_id
        payments.personal: payments:merchant_id/payment_id
        disputes.evidence_sealed: disputes:merchant_id/dispute_id
        payment_methods.holder_name_sealed: payment_methods.holder_name:merchant_id/payment_method_id
        payment_methods.nick_name_sealed: payment_methods.nick_name:merchant_id/payment_method_id
        payment_methods.particulars_sealed: payment_methods.particulars:merchant_id/payment_method_id
        cards_to_save.holder_name_sealed: payment_methods.holder_name:merchant_id/payment_method_id
        cards_to_save.nick_name_sealed: payment_methods.nick_name:merchant_id/payment_method_id
        cards_to_save.particulars_sealed: payment_methods.particulars:merchant_id/payment_method_id
        held_cards.sealed: held_cards:merchant_id/payment_id
        held_credentials.sealed: held_credentials:merchant_id/payment_id/attempt_number
        held_refund_credentials.sealed: held_refund_credentials:merchant_id/refund_id
        idempotency_keys.answer: idempotency_keys:merchant_id/operation/idempotency_key
        events.body: events:merchant_id/event_id (of a customer events.parted)
        events.personal: events.personal:merchant_id/event_id
        delivery_attempts.sealed: delivery_attempts:merchant_id/event_id
        notices.content: notices:notice_id
        evidence_files.sealed: evidence_files:merchant_id/file_id
        vault_cards.sealed: vault:merchant_id/card_fingerprint
        cards_to_save.sealed: vault:merchant_id/card_fingerprint
        ");
    }
}
