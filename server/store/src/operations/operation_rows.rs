//! Rows of open operations of any class: their columns, and the rows that a change of the object inserts, moves and
//! deletes. `open_operations` has the queries.

use multirail_app::operations::ports::open_operations::OpenObject;
use multirail_app::platform::ports::{ObjectClass, StoreFailure};
use multirail_domain::operations::question::Question;
use multirail_kernel::ids::{ConnectorAccountId, MerchantId};
use multirail_kernel::timestamp::Timestamp;

use crate::engine::{Row, Value, Write, values};
use crate::platform::record::failure;

const TABLE: &str = "open_operations";

/// The classes of objects that this version knows.
pub(crate) const CLASSES: &[ObjectClass] = &[
    ObjectClass::new("payment"),
    ObjectClass::new("refund"),
    ObjectClass::new("dispute"),
];

const FILE: &str = "insert into open_operations (processor_key, merchant_id, object_class, object_id, connector, \
     merchant_connector_id, due_at, lease_until, fence, reason, is_unresolved) \
     values ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9) on conflict (processor_key) \
     do update set due_at = excluded.due_at, reason = excluded.reason, is_unresolved = excluded.is_unresolved";

/// Leaves existing rows alone: their operations may be being asked about.
const ADOPT: &str = "insert into open_operations (processor_key, merchant_id, object_class, object_id, connector, \
     merchant_connector_id, due_at, lease_until, fence, reason, is_unresolved) \
     values ($1, $2, $3, $4, $5, $6, $7, 0, 0, $8, $9) on conflict (processor_key) do nothing";

const DELETE: &str = "delete from open_operations where processor_key = $1";

/// A condition for statements of other subjects: the object `$2` of this class and of the merchant account `$1` has no rows.
macro_rules! nothing_is_filed {
    ($class:literal) => {
        concat!(
            "not exists (select 1 from open_operations where merchant_id = $1 and object_class = '",
            $class,
            "' and object_id = $2)"
        )
    };
}
pub(crate) use nothing_is_filed;

/// The terms of a claim.
pub(crate) struct ClaimTerms {
    pub now: Timestamp,
    pub wall: Timestamp,
    /// Length of the lease.
    pub seconds: i64,
}

/// An operation that is asked about, with the columns of its row.
pub(crate) struct Asked<'a> {
    pub connector: &'a str,
    /// Unset for a refund with brought credentials; for a payment with brought credentials, the account that routing chose.
    pub account: Option<&'a ConnectorAccountId>,
    pub question: Question<'a>,
}

/// Adds the rows that a change of an object inserts, moves and deletes.
pub(crate) fn lower(
    merchant_id: &MerchantId,
    object: &OpenObject,
    before: &[Asked<'_>],
    after: &[Asked<'_>],
    writes: &mut Vec<Write>,
) {
    for was in before {
        let mut still = after.iter().map(|asked| asked.question.about);
        if !still.any(|key| key == was.question.about) {
            let delete = Write::new(DELETE, values![was.question.about.as_str()]);
            writes.push(delete.on(TABLE).any_rows());
        }
    }
    for asked in after {
        if !before.iter().any(|was| was.question == asked.question) {
            let parameters = row(merchant_id, object, asked, asked.question.due_at);
            writes.push(Write::new(FILE, parameters).on(TABLE));
        }
    }
}

/// Returns the statement that adds a row for an operation without one.
pub(crate) fn adopt(
    merchant_id: &MerchantId,
    object: &OpenObject,
    asked: &Asked<'_>,
    due_at: Timestamp,
) -> Write {
    Write::new(ADOPT, row(merchant_id, object, asked, due_at)).any_rows()
}

fn row(
    merchant_id: &MerchantId,
    object: &OpenObject,
    asked: &Asked<'_>,
    due_at: Timestamp,
) -> Vec<Value> {
    values![
        asked.question.about.as_str(),
        merchant_id.as_str(),
        object.class.as_str(),
        object.id.as_str(),
        asked.connector,
        asked.account.map(|id| id.as_str()),
        due_at.as_micros(),
        asked.question.why.as_str(),
        asked.question.why.is_unresolved()
    ]
}

/// Returns the classes as a list in SQL.
pub(crate) fn classes() -> String {
    let words = CLASSES.iter().map(|class| format!("'{class}'"));
    words.collect::<Vec<_>>().join(", ")
}

pub(crate) fn object_of(row: &Row) -> Result<OpenObject, StoreFailure> {
    let word = row.str("object_class").map_err(failure)?;
    let known = CLASSES.iter().find(|class| class.as_str() == word);
    let class = known.ok_or_else(|| {
        StoreFailure::Broken(format!("operations of a {word} are not known here"))
    })?;
    let id = row.str("object_id").map_err(failure)?;
    Ok(OpenObject::new(*class, id))
}
