//! Error mappings: the operator creates, changes and deletes them; refusals of processors look them up.

use std::sync::Arc;

use multirail_domain::operations::error_mapping;
use multirail_domain::operations::error_mapping::{
    ErrorMapping, MappingKey, MappingUpdate, Said, advise, built_in,
};
use multirail_kernel::refusal::{Object, Refusal};
use multirail_sdk::connector::ConnectorDirectory;
use multirail_sdk::connector::{Decline, Description};

use crate::operations::ports::{ErrorMappingChange, ErrorMappingStore};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::platform::ports::CommitError;
use crate::platform::ports::failure::duplicate;
use crate::{AppError, Origin};

/// The use cases of error mappings.
pub struct ErrorMappings {
    pub base: Arc<Base>,
    pub store: Arc<dyn ErrorMappingStore>,
    pub connectors: Arc<dyn ConnectorDirectory>,
}

impl ErrorMappings {
    /// Stores a new mapping.
    ///
    /// # Errors
    /// A mapping with the same key, stored or from the connector; no room for more.
    pub async fn create(
        &self,
        origin: &Origin,
        key: MappingKey,
        said: Said,
    ) -> Result<ErrorMapping, AppError> {
        let mut decisions = Decisions::begin(Object::ErrorMapping);
        loop {
            let stored = self.store.error_mapping(&key).await?;
            let mapping = ErrorMapping::create(key.clone(), said.clone(), self.base.now());
            let change = match stored {
                Some(stored) if stored.is_deleted => ErrorMappingChange::Update(ErrorMapping {
                    version: stored.version,
                    ..mapping.clone()
                }),
                Some(_) => return Err(ErrorMapping::duplicate(&key).into()),
                None if self.brought_along(&key).is_some() => {
                    return Err(ErrorMapping::duplicate(&key).into());
                }
                None => {
                    self.check_room_for_mappings().await?;
                    ErrorMappingChange::Insert(mapping.clone())
                }
            };
            match self.commit_mapping(origin, change).await {
                Ok(()) => return Ok(mapping),
                Err(CommitError::Duplicate(duplicate::ERROR_MAPPING)) => {
                    return Err(ErrorMapping::duplicate(&key).into());
                }
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Returns the mapping with exactly this key: the stored one, else the connector's.
    ///
    /// # Errors
    /// There is no such mapping.
    pub async fn find(&self, key: &MappingKey) -> Result<ErrorMapping, AppError> {
        self.mapping_at(key).await
    }

    /// Changes the members that are given.
    ///
    /// # Errors
    /// There is no such mapping; no room for another stored one.
    pub async fn update(
        &self,
        origin: &Origin,
        key: &MappingKey,
        update: MappingUpdate,
    ) -> Result<ErrorMapping, AppError> {
        let mut decisions = Decisions::begin(Object::ErrorMapping);
        loop {
            let mapping = self.mapping_at(key).await?;
            let mapping = mapping.updated(update.clone(), self.base.now());
            match self.put_mapping(origin, &mapping).await? {
                Ok(()) => return Ok(mapping),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Deletes a mapping, even one of the connector, and returns it.
    ///
    /// # Errors
    /// There is no such mapping.
    pub async fn delete(
        &self,
        origin: &Origin,
        key: &MappingKey,
    ) -> Result<ErrorMapping, AppError> {
        let mut decisions = Decisions::begin(Object::ErrorMapping);
        loop {
            let mapping = self.mapping_at(key).await?;
            let deleted = if self.brought_along(key).is_some() {
                let gone = ErrorMapping {
                    is_deleted: true,
                    modified_at: self.base.now(),
                    ..mapping.clone()
                };
                self.put_mapping(origin, &gone).await?
            } else {
                let (key, version) = (key.clone(), mapping.version);
                let change = ErrorMappingChange::Delete { key, version };
                self.commit_mapping(origin, change).await
            };
            match deleted {
                Ok(()) => return Ok(mapping),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Adds the mapping's decision to a refused authorization. Where mappings can't be read, nothing is added, so that
    /// no retry goes against the operator's decision.
    pub(crate) async fn map(&self, connector: &str, decline: &mut Decline) {
        match self.store.error_mappings().await {
            Ok(stored) => {
                let found = stored.find(connector, &decline.code, &decline.message);
                advise(decline, found);
            }
            Err(why) => {
                tracing::warn!(%why, connector, "a refusal is recorded without its error mapping");
            }
        }
    }

    async fn mapping_at(&self, key: &MappingKey) -> Result<ErrorMapping, AppError> {
        let found = match self.store.error_mapping(key).await? {
            Some(stored) => (!stored.is_deleted).then_some(stored),
            None => self.brought_along(key),
        };
        found.ok_or_else(|| Refusal::not_found(Object::ErrorMapping).into())
    }

    fn brought_along(&self, key: &MappingKey) -> Option<ErrorMapping> {
        let connector = self.connectors.find(&key.connector)?;
        let description: &Description = connector.description();
        let mapping = built_in(description, &key.code)?;
        (mapping.key == *key).then_some(mapping)
    }

    /// Stores a mapping that may so far be the connector's.
    async fn put_mapping(
        &self,
        origin: &Origin,
        mapping: &ErrorMapping,
    ) -> Result<Result<(), CommitError>, AppError> {
        let is_new = mapping.version == 0;
        let change = if is_new {
            self.check_room_for_mappings().await?;
            ErrorMappingChange::Insert(ErrorMapping {
                created_at: mapping.modified_at,
                ..mapping.clone()
            })
        } else {
            ErrorMappingChange::Update(mapping.clone())
        };
        let stored = self.commit_mapping(origin, change).await;
        Ok(stored.map_err(|error| match error {
            // Another request stored the mapping first.
            CommitError::Duplicate(duplicate::ERROR_MAPPING) => CommitError::Conflict,
            error => error,
        }))
    }

    async fn check_room_for_mappings(&self) -> Result<(), AppError> {
        let stored: Arc<error_mapping::ErrorMappings> = self.store.error_mappings().await?;
        if stored.count() < error_mapping::ErrorMappings::AT_MOST {
            return Ok(());
        }
        let message = format!(
            "there are {} error mappings already",
            error_mapping::ErrorMappings::AT_MOST
        );
        Err(Refusal::invalid_value(message).into())
    }

    async fn commit_mapping(
        &self,
        origin: &Origin,
        change: ErrorMappingChange,
    ) -> Result<(), CommitError> {
        let changes = vec![self.store.change(change)];
        let change_set = self.base.change_set(origin, None, ForKey::Nothing, changes);
        self.base.commit(change_set).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use async_trait::async_trait;
    use multirail_kernel::timestamp::Timestamp;
    use multirail_platform::{Change, Changes};
    use multirail_sdk::connector::advice::Decision;

    use super::*;
    use crate::fixture::{Committed, Noted, base, operator};
    use crate::platform::ports::StoreFailure;
    use multirail_sdk::connector::Connector;

    /// No connectors, so that no mapping comes from them.
    struct NoConnectors;

    impl ConnectorDirectory for NoConnectors {
        fn find(&self, _: &str) -> Option<Arc<dyn Connector>> {
            None
        }

        fn describe(&self, _: &str) -> Option<&'static Description> {
            None
        }

        fn names(&self) -> Vec<&'static str> {
            Vec::new()
        }
    }

    /// One mapping, or none. With `late`, another server creates it at the first look.
    struct OneMapping {
        now: Mutex<Option<ErrorMapping>>,
        later: Mutex<Option<ErrorMapping>>,
    }

    impl Changes<ErrorMappingChange> for OneMapping {
        fn change(&self, change: ErrorMappingChange) -> Box<dyn Change> {
            Box::new(Noted(change))
        }
    }

    #[async_trait]
    impl ErrorMappingStore for OneMapping {
        async fn error_mappings(&self) -> Result<Arc<error_mapping::ErrorMappings>, StoreFailure> {
            Ok(Arc::new(error_mapping::ErrorMappings::default()))
        }

        async fn error_mapping(
            &self,
            _: &MappingKey,
        ) -> Result<Option<ErrorMapping>, StoreFailure> {
            let mut now = self.now.lock().expect("no panic");
            let found = now.clone();
            if let Some(later) = self.later.lock().expect("no panic").take() {
                *now = Some(later);
            }
            Ok(found)
        }
    }

    fn key() -> MappingKey {
        MappingKey::for_authorization("stripe", "card_declined", "")
    }

    fn said(status: &str) -> Said {
        Said {
            status: status.to_owned(),
            decision: Decision::DoDefault,
            step_up_possible: false,
            router_error: None,
            error_category: None,
            unified_code: None,
            unified_message: None,
            standardised_code: None,
            description: None,
            user_guidance_message: None,
            unread: Default::default(),
        }
    }

    fn service(
        now: Option<ErrorMapping>,
        later: Option<ErrorMapping>,
    ) -> (ErrorMappings, Arc<Committed>) {
        let committed = Arc::new(Committed::default());
        let store = OneMapping {
            now: Mutex::new(now),
            later: Mutex::new(later),
        };
        let mappings = ErrorMappings {
            base: base(&committed),
            store: Arc::new(store),
            connectors: Arc::new(NoConnectors),
        };
        (mappings, committed)
    }

    fn stored(is_deleted: bool) -> ErrorMapping {
        ErrorMapping {
            is_deleted,
            version: 7,
            ..ErrorMapping::create(key(), said("before"), Timestamp::EPOCH)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_mapping_takes_the_place_of_one_that_was_deleted_meanwhile() {
        let (mappings, committed) = service(Some(stored(false)), Some(stored(true)));
        let first = mappings.delete(&operator(), &key()).await;
        assert_eq!(first.expect("deleted").version, 7);
        committed.refuse(CommitError::Conflict);
        let made = mappings.create(&operator(), key(), said("anew")).await;
        assert_eq!(made.expect("stored").said.status, "anew");
        let lines = committed.lines();
        assert!(lines[3].contains("Update(ErrorMapping"), "{lines:?}");
        assert!(lines[3].contains("version: 7"), "{lines:?}");
        assert_eq!(lines.len(), 4);
    }

    #[tokio::test]
    async fn a_mapping_that_another_server_stored_first_is_a_duplicate() {
        let (mappings, committed) = service(None, None);
        committed.refuse(CommitError::Duplicate(duplicate::ERROR_MAPPING));
        let refused = mappings.create(&operator(), key(), said("late")).await;
        let refused = refused.expect_err("one of the two").to_string();
        assert!(refused.contains("card_declined"), "{refused}");
        assert_eq!(committed.lines(), Vec::<String>::new());
    }
}
