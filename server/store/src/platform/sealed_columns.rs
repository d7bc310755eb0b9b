//! Sealed columns, with everything that is needed to open and reseal them. Each subject declares its own; the program
//! checks them against the schema.

use std::pin::Pin;

use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::seal::Subject;
use multirail_kernel::ids::{CustomerId, MerchantId};
use multirail_kernel::timestamp::Timestamp;

use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Row, Value};

/// A column of a table that holds sealed bytes, or null.
pub struct SealedColumn {
    pub table: &'static str,
    pub column: &'static str,
    /// The columns of the primary key, in order.
    pub key: &'static [&'static str],
    /// The beginning of a row's place, and the columns whose values follow: see [`SealedColumn::place`].
    pub place: (&'static str, &'static [&'static str]),
    /// The beginning of the place in rows that have a customer, if it differs.
    pub place_of_customers: Option<&'static str>,
    /// Other columns that determine the owner of a row.
    pub also: &'static [&'static str],
    /// The column that repeats the name of the key, if there is one.
    pub names_key: Option<&'static str>,
    /// Returns the owner of a row.
    pub subject: fn(&Row) -> Result<Subject, StoreFailure>,
    /// The place where older rows hold the same data in plaintext.
    pub clear: Clear,
}

/// The place of older data that is still in plaintext and should be sealed.
pub enum Clear {
    Nowhere,
    /// In a column of the same row.
    Column {
        name: &'static str,
        part: Part,
    },
    /// In rows that only the subject's own code finds.
    Elsewhere(SealRow),
}

/// Seals the plaintext of a row in its own commit; returns how many it found.
pub type SealRow =
    for<'a> fn(
        &'a SqlStore,
        &'a Row,
        Timestamp,
    ) -> Pin<Box<dyn Future<Output = Result<i64, StoreFailure>> + Send + 'a>>;

/// Splits a column's text into the part to seal and the part that stays; returns none if the text has no personal data.
pub type Part = fn(&str) -> Result<Option<(String, Option<String>)>, StoreFailure>;

impl SealedColumn {
    /// Returns a column that is sealed for the merchant account of its row, as the row's only sealed column.
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

    /// `table.column`
    pub fn name(&self) -> String {
        format!("{}.{}", self.table, self.column)
    }

    /// Returns the place that a row was sealed for.
    ///
    /// # Errors
    /// Fails when the row lacks a part of the place.
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

/// Returns the payer of a row: the customer, or the merchant account if there is no customer.
///
/// # Errors
/// Fails when the row has no merchant account.
pub fn payer(row: &Row) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str("merchant_id").map_err(failure)?);
    let merchant_id = record::id(merchant_id)?;
    let customer_id = row.opt_str("customer_id").map_err(failure)?;
    Ok(match customer_id {
        Some(some) => Subject::customer(&merchant_id, &record::id(CustomerId::parse(some))?),
        None => Subject::merchant(&merchant_id),
    })
}

fn merchant(row: &Row) -> Result<Subject, StoreFailure> {
    merchant_in(row, "merchant_id")
}

/// Returns the merchant account that a column names.
///
/// # Errors
/// Fails when the column holds none.
pub fn merchant_in(row: &Row, column: &str) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str(column).map_err(failure)?);
    Ok(Subject::merchant(&record::id(merchant_id)?))
}
