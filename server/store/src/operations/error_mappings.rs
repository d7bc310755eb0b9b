//! Reads and writes of error mappings.

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::operations::ports::{ErrorMappingChange, ErrorMappingStore};
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::failure::duplicate;
use multirail_domain::operations::error_mapping::{ErrorMapping, ErrorMappings, MappingKey};
use multirail_kernel::audit::Named;
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use crate::engine::{Read, Row, Value, Write, values};
use crate::platform::cached::Cached;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::rows::{all, one, version};
use crate::platform::sql_store::SqlStore;

record::records! {
    ErrorMapping: "error_mappings.record",
}

const TABLE: &str = "error_mappings";

const MAPPING: &str = "select version, record from error_mappings where connector = $1 and flow = $2 and sub_flow = $3 \
     and code = $4 and message = $5";

const MAPPINGS: &str = "select code as id, version, record from error_mappings";

const INSERT_MAPPING: &str = "insert into error_mappings (connector, flow, sub_flow, code, message, version, record, \
     created_at, modified_at) values ($1, $2, $3, $4, $5, 1, $6, $7, $8) on conflict do nothing";

const UPDATE_MAPPING: &str = "update error_mappings set version = version + 1, record = $7, modified_at = $8 \
     where connector = $1 and flow = $2 and sub_flow = $3 and code = $4 and message = $5 and version = $6";

const DELETE_MAPPING: &str = "delete from error_mappings where connector = $1 and flow = $2 and sub_flow = $3 \
     and code = $4 and message = $5 and version = $6";

/// The cached list of all mappings.
struct All;

impl Cached for All {
    type Key = ();
    type Value = ErrorMappings;
}

#[async_trait]
impl ErrorMappingStore for SqlStore {
    async fn error_mappings(&self) -> Result<Arc<ErrorMappings>, StoreFailure> {
        let read = async {
            let rows = all(&self.engine, TABLE, Read::new(MAPPINGS, values![]), mapping).await?;
            Ok(Some(rows.into_iter().collect::<ErrorMappings>()))
        };
        let found = self.cache.get::<All>((), read).await?;
        Ok(found.unwrap_or_default())
    }

    async fn error_mapping(&self, key: &MappingKey) -> Result<Option<ErrorMapping>, StoreFailure> {
        let read = Read::new(MAPPING, place(key));
        one(&self.engine, read, mapping).await
    }
}

impl Change for Stored<ErrorMappingChange> {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match &self.0 {
            ErrorMappingChange::Insert(mapping) => insert(mapping)?,
            ErrorMappingChange::Update(mapping) => update(mapping)?,
            ErrorMappingChange::Delete { key, version } => {
                let mut parameters = place(key);
                parameters.push(Value::from(*version));
                Write::new(DELETE_MAPPING, parameters)
            }
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Settings
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        let key = match &self.0 {
            ErrorMappingChange::Insert(mapping) | ErrorMappingChange::Update(mapping) => {
                &mapping.key
            }
            ErrorMappingChange::Delete { key, .. } => key,
        };
        let id = format!("{} {} {}", key.connector, key.flow, key.code);
        Some(Named::new("error_mapping", id))
    }
}

fn insert(mapping: &ErrorMapping) -> Result<Write, StoreFailure> {
    let mut parameters = place(&mapping.key);
    parameters.extend(values![
        record::write(mapping)?,
        mapping.created_at.as_micros(),
        mapping.modified_at.as_micros()
    ]);
    Ok(Write::new(INSERT_MAPPING, parameters).or_duplicate(duplicate::ERROR_MAPPING))
}

fn update(mapping: &ErrorMapping) -> Result<Write, StoreFailure> {
    let mut parameters = place(&mapping.key);
    parameters.extend(values![
        mapping.version,
        record::write(mapping)?,
        mapping.modified_at.as_micros()
    ]);
    Ok(Write::new(UPDATE_MAPPING, parameters))
}

fn place(key: &MappingKey) -> Vec<Value> {
    values![
        key.connector.as_str(),
        key.flow.as_str(),
        key.sub_flow.as_str(),
        key.code.as_str(),
        key.message.as_str()
    ]
}

fn mapping(row: &Row) -> Result<ErrorMapping, StoreFailure> {
    let mut mapping: ErrorMapping = record::read(row, "record")?;
    mapping.version = version(row)?;
    Ok(mapping)
}
