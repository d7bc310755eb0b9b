//! Translates values to PostgreSQL's parameters and its columns to values.

use std::sync::Arc;

use multirail_sql::{Kind, Row, StoreError, Value, Write, refuse};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments, Column, Row as _, TypeInfo};

use super::super::placeholders;

pub(super) fn bind(sql: &str, parameters: &[Value]) -> Result<PgArguments, StoreError> {
    let mut arguments = PgArguments::default();
    add(&mut arguments, placeholders::highest(sql), parameters)?;
    Ok(arguments)
}

/// Binds the parameters of all writes, one after the other; `wanted` has the number of each write's parameters.
pub(super) fn bind_all(writes: &[&Write], wanted: &[usize]) -> Result<PgArguments, StoreError> {
    let mut arguments = PgArguments::default();
    for (write, wanted) in writes.iter().zip(wanted) {
        add(&mut arguments, *wanted, &write.parameters)?;
    }
    Ok(arguments)
}

fn add(arguments: &mut PgArguments, wanted: usize, parameters: &[Value]) -> Result<(), StoreError> {
    if wanted != parameters.len() {
        return Err(StoreError::parameters(wanted, parameters.len()));
    }
    for parameter in parameters {
        match parameter {
            Value::Null(Kind::Bool) => arguments.add(None::<bool>),
            Value::Null(Kind::Int) => arguments.add(None::<i64>),
            Value::Null(Kind::Text) => arguments.add(None::<&str>),
            Value::Null(Kind::Bytes) => arguments.add(None::<&[u8]>),
            Value::Bool(truth) => arguments.add(*truth),
            Value::Int(number) => arguments.add(*number),
            Value::Text(text) => arguments.add(text.as_str()),
            Value::Bytes(bytes) => arguments.add(bytes.as_slice()),
        }
        .map_err(|error| StoreError::Statement(error.to_string()))?;
    }
    Ok(())
}

pub(super) fn translate(rows: &[PgRow]) -> Result<Vec<Row>, StoreError> {
    let Some(first) = rows.first() else {
        return Ok(Vec::new());
    };
    let columns: Arc<[String]> = first
        .columns()
        .iter()
        .map(|c| c.name().to_owned())
        .collect();
    rows.iter()
        .map(|row| {
            let values = (0..columns.len()).map(|index| value(row, index));
            Ok(Row::new(columns.clone(), values.collect::<Result<_, _>>()?))
        })
        .collect()
}

fn value(row: &PgRow, index: usize) -> Result<Value, StoreError> {
    let column = row.column(index);
    let result = match column.type_info().name() {
        "BOOL" => row.try_get::<Option<bool>, _>(index).map(Value::from),
        "INT8" => row.try_get::<Option<i64>, _>(index).map(Value::from),
        "INT4" => row.try_get::<Option<i32>, _>(index).map(Value::from),
        "INT2" => row.try_get::<Option<i16>, _>(index).map(Value::from),
        "TEXT" | "VARCHAR" | "NAME" => row.try_get::<Option<String>, _>(index).map(Value::from),
        "BYTEA" => row.try_get::<Option<Vec<u8>>, _>(index).map(Value::from),
        other => {
            // A sum of bigint, for one, is numeric.
            let problem = format!("is of type {other}: cast it in the statement");
            return Err(refuse(&column.name(), &problem));
        }
    };
    result.map_err(|_| refuse(&column.name(), "can't be decoded"))
}
