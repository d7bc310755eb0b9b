//! Columns that rest sealed, with what has to be known to open them and to seal them anew. Each subject declares its own; the
//! program holds them against the schema.

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
    /// The place of the same data in rows of before it was sealed.
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
    /// Where only its subject finds it.
    Elsewhere(SealRow),
}

/// Seals what a row has in the clear, by a commit of its own; answers how many it found.
pub type SealRow =
    for<'a> fn(
        &'a SqlStore,
        &'a Row,
        Timestamp,
    ) -> Pin<Box<dyn Future<Output = Result<i64, StoreFailure>> + Send + 'a>>;

/// What is to be sealed of a column's text, and what is left there; nothing where the text tells of nobody.
pub type Part = fn(&str) -> Result<Option<(String, Option<String>)>, StoreFailure>;

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

/// The customer of a row, or the merchant account where it has none: who paid.
///
/// # Errors
/// The row has no merchant account.
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

/// The merchant account that a column names.
///
/// # Errors
/// The row has none there.
pub fn merchant_in(row: &Row, column: &str) -> Result<Subject, StoreFailure> {
    let merchant_id = MerchantId::parse(row.str(column).map_err(failure)?);
    Ok(Subject::merchant(&record::id(merchant_id)?))
}
