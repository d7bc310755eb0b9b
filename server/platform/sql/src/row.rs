//! Rows of either engine, with getters whose errors name the column.

use std::fmt;
use std::sync::Arc;

use super::error::StoreError;
use super::value::Value;

/// One row of an answer.
///
/// Columns are found by name or by number from 0. A getter refuses an unknown column, an unexpected NULL and a value of
/// another kind. The error has the column, never the value.
#[derive(Clone)]
pub struct Row {
    columns: Arc<[String]>,
    values: Vec<Value>,
}

impl Row {
    /// Returns a row of these columns, with as many values.
    pub fn new(columns: Arc<[String]>, values: Vec<Value>) -> Self {
        Self { columns, values }
    }

    /// Returns the value as the engine returned it.
    pub fn value<C: Column>(&self, column: C) -> Result<&Value, StoreError> {
        column
            .position(&self.columns)
            .and_then(|position| self.values.get(position))
            .ok_or_else(|| refuse(&column, "the answer has no such column"))
    }

    /// Returns a copy of a text.
    pub fn text<C: Column>(&self, column: C) -> Result<String, StoreError> {
        self.str(column).map(str::to_owned)
    }

    /// Returns a copy of a text, or none for NULL.
    pub fn opt_text<C: Column>(&self, column: C) -> Result<Option<String>, StoreError> {
        Ok(self.opt_str(column)?.map(str::to_owned))
    }

    /// Returns a text.
    pub fn str<C: Column>(&self, column: C) -> Result<&str, StoreError> {
        required(&column, self.opt_str(&column)?)
    }

    /// Returns a text, or none for NULL.
    pub fn opt_str<C: Column>(&self, column: C) -> Result<Option<&str>, StoreError> {
        match self.value(&column)? {
            Value::Null(_) => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            Value::Bool(_) | Value::Int(_) | Value::Bytes(_) => Err(refuse(&column, "is not text")),
        }
    }

    /// Returns a whole number.
    pub fn int<C: Column>(&self, column: C) -> Result<i64, StoreError> {
        required(&column, self.opt_int(&column)?)
    }

    /// Returns a whole number, or none for NULL.
    pub fn opt_int<C: Column>(&self, column: C) -> Result<Option<i64>, StoreError> {
        match self.value(&column)? {
            Value::Null(_) => Ok(None),
            Value::Int(number) => Ok(Some(*number)),
            Value::Bool(_) | Value::Text(_) | Value::Bytes(_) => {
                Err(refuse(&column, "is not a whole number"))
            }
        }
    }

    /// Returns a boolean, for which SQLite has only the numbers 0 and 1.
    pub fn bool<C: Column>(&self, column: C) -> Result<bool, StoreError> {
        required(&column, self.opt_bool(&column)?)
    }

    /// Returns a boolean, or none for NULL.
    pub fn opt_bool<C: Column>(&self, column: C) -> Result<Option<bool>, StoreError> {
        match self.value(&column)? {
            Value::Null(_) => Ok(None),
            Value::Bool(truth) => Ok(Some(*truth)),
            Value::Int(0) => Ok(Some(false)),
            Value::Int(1) => Ok(Some(true)),
            Value::Int(_) | Value::Text(_) | Value::Bytes(_) => {
                Err(refuse(&column, "is not a truth value"))
            }
        }
    }

    /// Returns a copy of the bytes.
    pub fn bytes<C: Column>(&self, column: C) -> Result<Vec<u8>, StoreError> {
        required(&column, self.opt_bytes(&column)?)
    }

    /// Returns a copy of the bytes, or none for NULL.
    pub fn opt_bytes<C: Column>(&self, column: C) -> Result<Option<Vec<u8>>, StoreError> {
        match self.value(&column)? {
            Value::Null(_) => Ok(None),
            Value::Bytes(bytes) => Ok(Some(bytes.clone())),
            Value::Bool(_) | Value::Int(_) | Value::Text(_) => {
                Err(refuse(&column, "is not a string of bytes"))
            }
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.columns.iter().zip(&self.values))
            .finish()
    }
}

/// A way to name a column: its name, or its number from 0.
pub trait Column: fmt::Display {
    /// Returns the column's position in the answer.
    fn position(&self, columns: &[String]) -> Option<usize>;
}

impl Column for str {
    fn position(&self, columns: &[String]) -> Option<usize> {
        columns.iter().position(|name| name == self)
    }
}

impl Column for usize {
    fn position(&self, columns: &[String]) -> Option<usize> {
        (*self < columns.len()).then_some(*self)
    }
}

impl<C: Column + ?Sized> Column for &C {
    fn position(&self, columns: &[String]) -> Option<usize> {
        (**self).position(columns)
    }
}

fn required<T>(column: &impl Column, value: Option<T>) -> Result<T, StoreError> {
    value.ok_or_else(|| refuse(column, "is NULL"))
}

/// Returns the error of a column with an unexpected value.
pub fn refuse(column: &impl fmt::Display, problem: &str) -> StoreError {
    StoreError::Column {
        column: column.to_string(),
        problem: problem.to_owned(),
    }
}
