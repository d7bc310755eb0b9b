//! Statements as rusqlite takes them: texts with numbered placeholders, and values.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use multirail_sql::Value;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement, ToSql};

use super::super::placeholders;

/// A static text, identified by its address: quicker to look up than its some hundred bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TextId {
    address: usize,
    length: usize,
}

impl TextId {
    fn new(sql: &'static str) -> Self {
        Self {
            address: sql.as_ptr().addr(),
            length: sql.len(),
        }
    }
}

/// The statements of one connection. Their texts are static, so their number is bounded; each is prepared once.
pub(super) struct Prepared<'c> {
    connection: &'c Connection,
    known: HashMap<TextId, Statement<'c>>,
}

impl<'c> Prepared<'c> {
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self {
            connection,
            known: HashMap::new(),
        }
    }

    pub(super) fn prepare(&mut self, sql: &'static str) -> rusqlite::Result<&mut Statement<'c>> {
        Ok(match self.known.entry(TextId::new(sql)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(missing) => {
                missing.insert(self.connection.prepare(&placeholders::numbered(sql))?)
            }
        })
    }
}

/// Texts with numbered placeholders.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    known: HashMap<TextId, Arc<str>>,
}

impl Numbered {
    /// A static text, or one that was built at run time.
    #[expect(
        clippy::ptr_arg,
        reason = "a text of the program is told from one that was put together"
    )]
    pub(super) fn numbered(&mut self, sql: &Cow<'static, str>) -> Arc<str> {
        match sql {
            Cow::Borrowed(sql) => {
                let known = self.known.entry(TextId::new(sql));
                Arc::clone(known.or_insert_with(|| placeholders::numbered(sql).into()))
            }
            Cow::Owned(sql) => placeholders::numbered(sql).into(),
        }
    }
}

/// Binds all parameters of a statement.
pub(super) fn bind(statement: &mut Statement<'_>, parameters: &[Value]) -> rusqlite::Result<()> {
    let wanted = statement.parameter_count();
    if wanted != parameters.len() {
        return Err(rusqlite::Error::InvalidParameterCount(
            parameters.len(),
            wanted,
        ));
    }
    for (index, parameter) in parameters.iter().enumerate() {
        statement.raw_bind_parameter(index + 1, Bound(parameter))?;
    }
    Ok(())
}

/// A value that is bound to a statement.
struct Bound<'a>(&'a Value);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Null(_) => ValueRef::Null,
            Value::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
