//! The keys of the service.

use dropshot::RequestContext;
use multirail_api::service_keys::*;
use multirail_api::{Admin, ApiError, Caller, JsonAnswer, TypedBody};
use multirail_app::platform::keys::{KeysChange, KeysStatus};
use multirail_app::platform::ports::installation_keys::Rotation;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_types as types;

use super::errors::{api_error, refused};
use crate::{Api, Context};

impl ServiceKeysApi for Api {
    type Context = Context;

    async fn keys_retrieve(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
    ) -> Result<JsonAnswer<types::ServiceKeys>, ApiError> {
        let found = rqctx.context().services.keys.status().await;
        Ok(JsonAnswer::new(answer(found.map_err(api_error)?)))
    }

    async fn keys_rotate(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        body: TypedBody<Box<types::KeysRotateRequest>>,
    ) -> Result<JsonAnswer<types::ServiceKeys>, ApiError> {
        let change = change(*body.into_inner()).map_err(refused)?;
        let changed = rqctx.context().services.keys.change(change).await;
        Ok(JsonAnswer::new(answer(changed.map_err(api_error)?)))
    }
}

fn change(asked: types::KeysRotateRequest) -> Result<KeysChange, Refusal> {
    use types::KeysChange as Wanted;
    let types::KeysRotateRequest {
        change,
        next_master_key,
    } = asked;
    match (change, next_master_key) {
        (Wanted::Unknown(word), _) => {
            Err(Refusal::invalid_value(format!("change can't be {word}")))
        }
        (Wanted::MasterKey, Some(next)) => Ok(KeysChange::MasterKey(next)),
        (Wanted::MasterKey, None) => Err(Refusal::missing("next_master_key")),
        (Wanted::DataKeys, None) => Ok(KeysChange::DataKeys),
        (Wanted::FinishMasterKey, None) => Ok(KeysChange::FinishMasterKey),
        (Wanted::DataKeys | Wanted::FinishMasterKey, Some(_)) => {
            let why = "next_master_key goes with the change master_key only";
            Err(Refusal::invalid_value(why))
        }
    }
}

fn answer(status: KeysStatus) -> types::ServiceKeys {
    let KeysStatus {
        master_key,
        next_master_key,
        data_keys,
        subjects,
        rotation: last,
    } = status;
    let data_keys = data_keys.into_iter().map(|key| types::ServiceDataKey {
        key_id: key.key_id,
        status: key.use_of_it.as_str().to_owned(),
        created_at: key.created_at.to_datetime(),
    });
    types::ServiceKeys {
        master_key,
        next_master_key,
        data_keys: data_keys.collect(),
        merchants_with_keys: subjects.merchants,
        customers_with_keys: subjects.customers,
        customers_with_destroyed_keys: subjects.destroyed,
        rotation: last.map(rotation),
    }
}

fn rotation(rotation: Rotation) -> types::KeyRotation {
    let is_running = rotation.finished_at.is_none();
    let begins_with = "subject_keys.wrapped";
    let at = match rotation.at_column.as_str() {
        "" => begins_with.to_owned(),
        column => column.to_owned(),
    };
    types::KeyRotation {
        rotation_id: rotation.rotation_id,
        status: if is_running { "running" } else { "finished" }.to_owned(),
        pass: rotation.pass,
        at: is_running.then_some(at),
        rows_in_all: rotation.rows_in_all,
        looked_at: rotation.looked_at,
        sealed_anew: rotation.sealed_anew,
        unreadable: rotation.unreadable,
        started_at: rotation.started_at.to_datetime(),
        finished_at: rotation.finished_at.map(Timestamp::to_datetime),
    }
}
