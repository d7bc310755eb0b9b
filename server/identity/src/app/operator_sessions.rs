//! Sessions of the operator at the console.

use multirail_app::Origin;
use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::ports::Actor;
use multirail_identity_domain::{OPERATOR_TOKEN_PREFIX, OperatorSession};
use multirail_kernel::random::alphanumeric;
use multirail_kernel::secret::SecretText;

use super::sessions::Sessions;
use super::{AppError, storable};
use crate::ports::UserChange;

impl Sessions {
    /// Begins a session of the operator, who has shown this admin key. Returns its token, which is shown once.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn begin_operator(
        &self,
        request_id: String,
        key: &SecretText,
    ) -> Result<(SecretText, OperatorSession), AppError> {
        let random = alphanumeric(self.base.random.as_ref(), 48);
        let token = SecretText::new(format!("{OPERATOR_TOKEN_PREFIX}{random}"));
        let hash = self.base.seal.hash_api_key(&token);
        let key_hash = self.base.seal.hash_api_key(key);
        let session = OperatorSession::begin(hash, key_hash, self.base.now());
        let open = UserChange::OpenOperatorSession(session.clone());
        self.commit_for_operator(request_id, open).await?;
        Ok((token, session))
    }

    /// Returns whether a token opens a session of the operator, while these are the admin keys.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn is_of_operator(
        &self,
        token: &str,
        keys: &[&SecretText],
    ) -> Result<bool, AppError> {
        let seal = &self.base.seal;
        let hash = seal.hash_api_key(&SecretText::new(token));
        let Some(session) = self.store.operator_session(&hash).await? else {
            return Ok(false);
        };
        let key_hashes: Vec<String> = keys.iter().map(|key| seal.hash_api_key(key)).collect();
        Ok(session.is_valid(self.base.now(), &key_hashes))
    }

    /// Ends the session of the operator that has this token, if there is one. Nothing is committed for a token that
    /// somebody made up.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn end_operator(&self, request_id: String, token: &str) -> Result<(), AppError> {
        let hash = self.base.seal.hash_api_key(&SecretText::new(token));
        if self.store.operator_session(&hash).await?.is_none() {
            return Ok(());
        }
        let end = UserChange::EndOperatorSession(hash);
        self.commit_for_operator(request_id, end).await
    }

    async fn commit_for_operator(
        &self,
        request_id: String,
        change: UserChange,
    ) -> Result<(), AppError> {
        let origin = Origin::of_request(Actor::Admin, request_id, None);
        let changes = storable(self.store.as_ref(), [change]);
        let change_set = self
            .base
            .change_set(&origin, None, ForKey::Nothing, changes);
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }
}
