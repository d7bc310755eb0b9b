//! Statements as rusqlite wants them: texts with numbered placeholders, and values.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Statement, ToSql};

use super::super::placeholders;
use super::super::value::Value;

/// Texts with numbered placeholders.
#[derive(Debug, Default)]
pub(super) struct Numbered {
    /// By where a text lies in the program, which is quicker to look up than the text itself.
    known: HashMap<(usize, usize), Arc<str>>,
}

impl Numbered {
    /// A text of the program or one that was put together.
    #[expect(
        clippy::ptr_arg,
        reason = "a text of the program is told from one that was put together"
    )]
    pub(super) fn of(&mut self, sql: &Cow<'static, str>) -> Arc<str> {
        match sql {
            Cow::Borrowed(sql) => self.of_static(sql),
            Cow::Owned(sql) => placeholders::numbered(sql).into(),
        }
    }

    /// A text of the program.
    pub(super) fn of_static(&mut self, sql: &'static str) -> Arc<str> {
        let place = (sql.as_ptr().addr(), sql.len());
        let text = self
            .known
            .entry(place)
            .or_insert_with(|| placeholders::numbered(sql).into());
        Arc::clone(text)
    }
}

/// Gives a statement its parameters, all of them.
pub(super) fn bind(statement: &mut Statement<'_>, parameters: &[Value]) -> rusqlite::Result<()> {
    let wanted = statement.parameter_count();
    if wanted != parameters.len() {
        return Err(rusqlite::Error::InvalidParameterCount(
            parameters.len(),
            wanted,
        ));
    }
    for (index, parameter) in parameters.iter().enumerate() {
        statement.raw_bind_parameter(index + 1, parameter)?;
    }
    Ok(())
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null(_) => ValueRef::Null,
            Value::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
            Value::Int(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
