//! Statements on second factors: their secrets, the count of guesses, and the tokens for the second step. The key of
//! the merchant account that the user started in seals the secrets.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{SecondFactor, SecondFactorSecrets, SecondStep};
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::try_limit::TryLimit;
use multirail_platform::Sealing;
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::{one, one_sealed, version};
use multirail_store::platform::subject_keys::OpenKeys;

use super::users::moment;

multirail_store::records! {
    SecondFactorSecrets: "user_second_factors.secrets",
}

/// The sealed column.
pub(super) const SECRETS: &str = "secrets";

const FIND: &str = "select user_id, home_merchant_id, version, secrets, confirmed_at, last_step, guesses_empty_at, \
     created_at from user_second_factors where user_id = $1";

/// The level of guesses stays, so that setting up a new factor gives no new guesses.
const BEGIN: &str = "insert into user_second_factors (user_id, home_merchant_id, version, secrets, last_step, \
     guesses_empty_at, created_at) values ($1, $2, 1, $3, $4, $5, $6) on conflict (user_id) do update set \
     version = user_second_factors.version + 1, secrets = excluded.secrets, last_step = excluded.last_step, \
     created_at = excluded.created_at where user_second_factors.confirmed_at is null";

const UPDATE: &str = "update user_second_factors set version = version + 1, secrets = $2, confirmed_at = $3, \
     last_step = $4, guesses_empty_at = $5 where user_id = $1 and version = $6";

const END: &str = "delete from user_second_factors where user_id = $1 and version = $2";

/// `$2` is now, `$3` the amount of one guess, `$4` the highest level that allows one more.
const GUESS: &str = "update user_second_factors set guesses_empty_at = case when guesses_empty_at > $2 \
     then guesses_empty_at + $3 else cast($2 as bigint) + $3 end where user_id = $1 and guesses_empty_at <= $4";

const STEP: &str = "select hash, user_id, expires_at from user_second_steps where hash = $1";

const ADD_STEP: &str =
    "insert into user_second_steps (hash, user_id, expires_at) values ($1, $2, $3)";

const USE_STEP: &str = "delete from user_second_steps where hash = $1";

const DROP_STEPS: &str = "delete from user_second_steps where user_id = $1";

const PURGE_STEPS: &str = "delete from user_second_steps where hash in \
     (select hash from user_second_steps where expires_at <= $1 order by expires_at limit $2)";

pub(super) async fn find(
    store: &SqlStore,
    user_id: &UserId,
) -> Result<Option<SecondFactor>, StoreFailure> {
    let read = Read::new(FIND, values![user_id.as_str()]);
    one_sealed(store.engine(), (store.keys(), SECRETS), read, factor).await
}

pub(super) async fn count_guess(
    store: &SqlStore,
    user_id: &UserId,
    now: Timestamp,
) -> Result<bool, StoreFailure> {
    let parameters = values![
        user_id.as_str(),
        now.as_micros(),
        TryLimit::CODES.micros(),
        TryLimit::CODES.highest(now).as_micros()
    ];
    let write = Write::new(GUESS, parameters).any_rows();
    let rows = record::write_any(store.engine(), vec![write]).await?;
    Ok(rows.into_iter().sum::<u64>() == 1)
}

pub(super) async fn step(store: &SqlStore, hash: &str) -> Result<Option<SecondStep>, StoreFailure> {
    let read = Read::new(STEP, values![hash]);
    one(store.engine(), read, |row| {
        Ok(SecondStep {
            hash: row.text("hash").map_err(failure)?,
            user_id: record::id(UserId::parse(row.str("user_id").map_err(failure)?))?,
            expires_at: moment(row, "expires_at")?,
        })
    })
    .await
}

pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(store.engine(), PURGE_STEPS, now, at_most).await
}

pub(super) fn begin(factor: &SecondFactor, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        factor.user_id.as_str(),
        factor.home_merchant_id.as_str(),
        sealed(factor, keys)?,
        factor.last_step,
        factor.guesses_empty_at.as_micros(),
        factor.created_at.as_micros()
    ];
    Ok(Write::new(BEGIN, parameters))
}

pub(super) fn update(factor: &SecondFactor, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let parameters = values![
        factor.user_id.as_str(),
        sealed(factor, keys)?,
        factor.confirmed_at.map(Timestamp::as_micros),
        factor.last_step,
        factor.guesses_empty_at.as_micros(),
        factor.version
    ];
    Ok(Write::new(UPDATE, parameters))
}

pub(super) fn end(factor: &SecondFactor) -> Write {
    Write::new(END, values![factor.user_id.as_str(), factor.version])
}

pub(super) fn add_step(step: &SecondStep) -> Write {
    let parameters = values![
        step.hash.as_str(),
        step.user_id.as_str(),
        step.expires_at.as_micros()
    ];
    Write::new(ADD_STEP, parameters)
}

pub(super) fn use_step(step: &SecondStep) -> Write {
    Write::new(USE_STEP, values![step.hash.as_str()])
}

pub(super) fn drop_steps(user_id: &UserId) -> Write {
    Write::new(DROP_STEPS, values![user_id.as_str()]).any_rows()
}

fn sealed(factor: &SecondFactor, keys: &dyn Sealing) -> Result<Vec<u8>, StoreFailure> {
    let text = SecretText::new(record::write(&factor.secrets)?);
    Ok(keys.seal(&factor.home_merchant_id, &place(&factor.user_id), &text))
}

fn factor(row: &Row, keys: &OpenKeys<'_>) -> Result<SecondFactor, StoreFailure> {
    let user_id = record::id(UserId::parse(row.str("user_id").map_err(failure)?))?;
    let home = MerchantId::parse(row.str("home_merchant_id").map_err(failure)?);
    let secrets = keys.open(row, SECRETS, &place(&user_id))?;
    let confirmed_at = row.opt_int("confirmed_at").map_err(failure)?;
    Ok(SecondFactor {
        home_merchant_id: record::id(home)?,
        secrets: record::parse(secrets.expose())?,
        confirmed_at: confirmed_at.map(Timestamp::from_micros),
        last_step: row.int("last_step").map_err(failure)?,
        guesses_empty_at: moment(row, "guesses_empty_at")?,
        version: version(row)?,
        created_at: moment(row, "created_at")?,
        user_id,
    })
}

fn place(user_id: &UserId) -> String {
    format!("user_second_factors:{user_id}")
}
