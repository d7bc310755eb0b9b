//! Recorded events: written with the change that they announce, listed, counted, purged.

use multirail_app::platform::ports::StoreFailure;
use multirail_app::webhooks::ports::events::{EventRecord, EventSearch, Purged, StoredEvent};
use multirail_domain::webhooks::webhook::event_body;
use multirail_domain::webhooks::webhook::event_body::PartedBody;
use multirail_kernel::ids::{EventId, MerchantId, ProfileId};
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_platform::{PayerKey, Sealing};

use super::tries;
use crate::engine::{Engine, Read, Row, Value, Write, values};
use crate::platform::conditions::Conditions;
use crate::platform::record;
use crate::platform::record::failure;
use crate::platform::subject_keys::{OpenKeys, SubjectKeys};

pub(crate) const TABLE: &str = "events";

/// The sealed columns. If an event is about a customer, the body has no personal data and is sealed with the merchant's
/// key. The personal data stands in the other column, sealed with the customer's key.
pub(crate) const SEALED: [&str; 2] = [BODY, PERSONAL];
pub(crate) const BODY: &str = "body";
pub(crate) const PERSONAL: &str = "personal";

/// The beginnings of the three places: of a whole body, of a body without its personal data (which must not pass for a
/// whole one), and of that personal data.
const WHOLE_PLACE: &str = TABLE;
pub(crate) const PARTED_PLACE: &str = "events.parted";
pub(crate) const PERSONAL_PLACE: &str = "events.personal";

/// Recorded once: the same news about the same object is no second event.
const RECORD: &str = "insert into events (merchant_id, event_id, profile_id, event_class, event_type, object_id, \
     about_id, object_sequence, created_at, body, customer_id, personal) \
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
     on conflict (merchant_id, object_id, event_type, about_id) do nothing";

const REWRITE: &str = "update events set body = $3, customer_id = null, personal = null where merchant_id = $1 and event_id = $2";

const BODIES: &str =
    "select event_id, body, personal from events where merchant_id = $1 and object_id = $2";

/// The columns that [`read`] reads.
pub(crate) const COLUMNS: &str = "e.merchant_id as merchant_id, e.event_id as event_id, e.profile_id as profile_id, \
     e.event_type as event_type, e.object_id as object_id, e.is_delivered as is_delivered, e.created_at as created_at";

/// The events of further endpoints.
const OF_ENDPOINTS: &str =
    "endpoint_events p join events e on e.merchant_id = p.merchant_id and e.event_id = p.event_id";

/// The columns that [`body`] reads.
pub(crate) const BODY_COLUMNS: &str = "e.body as body, e.personal as personal";

const MERCHANT_WITH_OLD: &str = "with recursive m(merchant_id) as (select min(merchant_id) from events union all \
     select (select min(merchant_id) from events where merchant_id > m.merchant_id) from m \
     where m.merchant_id is not null) \
     select m.merchant_id as merchant_id from m where exists (select 1 from events e \
     where e.merchant_id = m.merchant_id and e.created_at < $1) limit $2";

const OLD: &str = "select e.event_id as event_id from events e where e.merchant_id = $1 and e.created_at < $2 \
     order by e.created_at limit $3";

/// Deletes the queue's row before the event, in the order in which recording an attempt changes them: the two must not
/// deadlock.
const PURGE_DELIVERY: &str = "delete from deliveries where merchant_id = $1 and event_id = $2";

const PURGE_FURTHER: &str =
    "delete from endpoint_deliveries where merchant_id = $1 and event_id = $2";

/// Deletes the event with its attempts and with rows that a replay queues at this moment.
const PURGE: &str = "delete from events where merchant_id = $1 and event_id = $2";

/// Merchants whose old events are deleted in one pass.
const MERCHANTS_AT_ONCE: i64 = 100;

pub(crate) fn record(event: &EventRecord, keys: &dyn Sealing) -> Result<Write, StoreFailure> {
    let mut parameters = values![
        event.merchant_id.as_str(),
        event.event_id.as_str(),
        event.profile_id.as_str(),
        event.event_type.class().as_str(),
        event.event_type.as_str(),
        event.object_id.as_str(),
        event.about_id.as_str(),
        event.object_sequence,
        event.created_at.as_micros()
    ];
    parameters.extend(resting(event, keys)?);
    Ok(Write::new(RECORD, parameters).on(TABLE).any_rows())
}

/// Returns the body, the customer that it is about, and their personal data.
fn resting(event: &EventRecord, keys: &dyn Sealing) -> Result<[Value; 3], StoreFailure> {
    let place = |of: &str| place(of, &event.merchant_id, event.event_id.as_str());
    let seal = |of: &str, body: &SecretText| keys.seal(&event.merchant_id, &place(of), body);
    let whole = |body| {
        [
            seal(WHOLE_PLACE, body).into(),
            Value::from(None::<&str>),
            Value::from(None::<Vec<u8>>),
        ]
    };
    let Some(customer_id) = &event.customer_id else {
        return Ok(whole(&event.body));
    };
    let key = match keys.of_payer(&event.merchant_id, Some(customer_id)) {
        PayerKey::None => return Ok(whole(&event.body)),
        PayerKey::Destroyed => None,
        PayerKey::Key(key) => Some(key),
    };
    let parted = event_body::parted(&event.body);
    // Without the parser's reason, which may quote sealed data.
    let parted =
        parted.map_err(|_| StoreFailure::Broken("the body of an event is no JSON".to_owned()))?;
    Ok(match (parted, key) {
        (None, _) => whole(&event.body),
        // The customer was redacted meanwhile: their personal data is not stored.
        (Some(parted), None) => whole(&parted.redacted),
        (Some(PartedBody { redacted, told }), Some(key)) => [
            seal(PARTED_PLACE, &redacted).into(),
            customer_id.as_str().into(),
            key.seal(&place(PERSONAL_PLACE), &told).into(),
        ],
    })
}

/// Changes no row if the event was purged meanwhile.
pub(crate) fn rewrite(
    merchant_id: &MerchantId,
    event_id: &EventId,
    body: &SecretText,
    keys: &dyn Sealing,
) -> Write {
    let place = place(WHOLE_PLACE, merchant_id, event_id.as_str());
    let sealed = keys.seal(merchant_id, &place, body);
    let parameters = values![merchant_id.as_str(), event_id.as_str(), sealed];
    Write::new(REWRITE, parameters).on(TABLE).any_rows()
}

pub(crate) async fn bodies(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    object_id: &str,
) -> Result<Vec<(EventId, SecretText)>, StoreFailure> {
    let read = Read::new(BODIES, values![merchant_id.as_str(), object_id]);
    let rows = engine.fetch(read).await.map_err(failure)?;
    let keys = keys.to_open_columns(&rows, &SEALED).await?;
    let mut bodies = Vec::with_capacity(rows.len());
    for row in &rows {
        let event_id = EventId::parse(row.str("event_id").map_err(failure)?);
        let event_id = record::id(event_id)?;
        let body = body(row, merchant_id, &event_id, &keys)?;
        bodies.push((event_id, body));
    }
    Ok(bodies)
}

pub(crate) async fn search(
    engine: &Engine,
    merchant_id: &MerchantId,
    search: &EventSearch,
) -> Result<Vec<StoredEvent>, StoreFailure> {
    if search.nothing_fits {
        return Ok(Vec::new());
    }
    if search.endpoint_id.is_some() {
        return search_of_endpoint(engine, merchant_id, search).await;
    }
    let mut conditions = conditions(merchant_id, search);
    let limit = conditions.parameter(search.limit);
    let offset = conditions.parameter(search.offset);
    // An index finds the page; only the rows of the page are read. For the few events of one object that is not the index
    // in the right order, which SQLite would scan for them.
    let created_at = match (&search.object_id, &search.event_id) {
        (None, None) => "e.created_at",
        (Some(_), _) | (_, Some(_)) => "e.created_at + 0",
    };
    let sql = format!(
        "select {COLUMNS} from (select merchant_id, event_id from events e where {} \
         order by {created_at} desc, e.event_id desc limit {limit} offset {offset}) page \
         join events e on e.merchant_id = page.merchant_id and e.event_id = page.event_id \
         order by e.created_at desc, e.event_id desc",
        conditions.text
    );
    read_page(engine, merchant_id, sql, conditions).await
}

/// Returns a page of the events of a further endpoint. `is_delivered` is about that endpoint.
async fn search_of_endpoint(
    engine: &Engine,
    merchant_id: &MerchantId,
    search: &EventSearch,
) -> Result<Vec<StoredEvent>, StoreFailure> {
    let mut conditions = conditions(merchant_id, search);
    let limit = conditions.parameter(search.limit);
    let offset = conditions.parameter(search.offset);
    let columns = COLUMNS.replace("e.is_delivered", "p.is_delivered");
    let sql = format!(
        "select {columns} from {OF_ENDPOINTS} where {} \
         order by p.created_at desc, p.event_id desc limit {limit} offset {offset}",
        conditions.text
    );
    let mut events = read_page(engine, merchant_id, sql, conditions).await?;
    for event in &mut events {
        event.endpoint_id = search.endpoint_id.clone();
    }
    Ok(events)
}

async fn read_page(
    engine: &Engine,
    merchant_id: &MerchantId,
    sql: String,
    conditions: Conditions,
) -> Result<Vec<StoredEvent>, StoreFailure> {
    let read_page = Read::new(sql, conditions.parameters).long();
    let rows = engine.fetch(read_page).await.map_err(failure)?;
    all_readable(merchant_id, &rows)
}

/// Returns the events from an id on. The primary key has them in this order.
pub(crate) async fn from(
    engine: &Engine,
    merchant_id: &MerchantId,
    first: &EventId,
    at_most: i64,
) -> Result<Vec<StoredEvent>, StoreFailure> {
    let sql = format!(
        "select {COLUMNS} from events e where e.merchant_id = $1 and e.event_id >= $2 \
         order by e.event_id limit $3"
    );
    let parameters = values![merchant_id.as_str(), first.as_str(), at_most];
    let rows = engine.fetch(Read::new(sql, parameters)).await;
    all_readable(merchant_id, &rows.map_err(failure)?)
}

/// Returns the events of the rows that can be read.
fn all_readable(merchant_id: &MerchantId, rows: &[Row]) -> Result<Vec<StoredEvent>, StoreFailure> {
    let mut events = Vec::with_capacity(rows.len());
    for row in rows {
        let event_id = row.str("event_id").map_err(failure)?;
        let row_name = format!("{merchant_id}/{event_id}");
        events.extend(record::readable(TABLE, row_name, read(row))?);
    }
    Ok(events)
}

pub(crate) async fn count(
    engine: &Engine,
    merchant_id: &MerchantId,
    search: &EventSearch,
) -> Result<i64, StoreFailure> {
    if search.nothing_fits {
        return Ok(0);
    }
    let conditions = conditions(merchant_id, search);
    match search.endpoint_id {
        None => counted(engine, conditions).await,
        Some(_) => counted_of(engine, OF_ENDPOINTS, conditions).await,
    }
}

/// Counts the events that meet the conditions.
pub(crate) async fn counted(engine: &Engine, conditions: Conditions) -> Result<i64, StoreFailure> {
    counted_of(engine, "events e", conditions).await
}

async fn counted_of(
    engine: &Engine,
    from: &str,
    conditions: Conditions,
) -> Result<i64, StoreFailure> {
    let sql = format!("select count(*) as n from {from} where {}", conditions.text);
    let counted = Read::new(sql, conditions.parameters).long();
    let row = engine.fetch_optional(counted).await.map_err(failure)?;
    row.map_or(Ok(0), |row| row.int("n")).map_err(failure)
}

fn conditions(merchant_id: &MerchantId, search: &EventSearch) -> Conditions {
    let mut all = Conditions::of_merchant("e.merchant_id", merchant_id);
    let (after, before) = (search.created_after, search.created_before);
    all.compare("e.created_at >=", after.map(Timestamp::as_micros));
    all.compare("e.created_at <=", before.map(Timestamp::as_micros));
    all.compare("e.object_id =", search.object_id.as_deref());
    all.compare("e.event_id =", search.event_id.as_deref());
    let profile_id = search.profile_id.as_ref().map(|id| id.as_str());
    all.compare("e.profile_id =", profile_id);
    let types: Vec<&str> = search.event_types.iter().map(|t| t.as_str()).collect();
    all.one_of("e.event_type", &types);
    let of = match &search.endpoint_id {
        None => "e",
        Some(endpoint_id) => {
            all.also("p.merchant_id = $1");
            all.compare("p.webhook_endpoint_id =", Some(endpoint_id.as_str()));
            "p"
        }
    };
    match search.is_delivered {
        None => {}
        Some(true) => all.also(&format!("{of}.is_delivered is true")),
        Some(false) => all.also(&format!("{of}.is_delivered is not true")),
    }
    all
}

/// Returns the event of an initial attempt or of any retry, with its body. Of an attempt at a further endpoint, the event is
/// the one for that endpoint.
pub(crate) async fn event(
    engine: &Engine,
    keys: &SubjectKeys,
    merchant_id: &MerchantId,
    event_id: &str,
) -> Result<Option<(StoredEvent, String)>, StoreFailure> {
    let sql = format!(
        "select {COLUMNS}, {BODY_COLUMNS}, (select a.webhook_endpoint_id from delivery_attempts a \
         where a.merchant_id = $1 and a.event_id = $2) as webhook_endpoint_id from events e where e.merchant_id = $1 and e.event_id = coalesce(\
         (select a.initial_attempt_id from delivery_attempts a where a.merchant_id = $1 and a.event_id = $2), $2)"
    );
    let parameters = values![merchant_id.as_str(), event_id];
    let found = engine.fetch_optional(Read::new(sql, parameters)).await;
    let Some(row) = found.map_err(failure)? else {
        return Ok(None);
    };
    let event = StoredEvent {
        endpoint_id: tries::endpoint_id(&row)?,
        ..read(&row)?
    };
    let keys = keys.to_open_columns([&row], &SEALED).await?;
    let body = body(&row, merchant_id, &event.event_id, &keys)?;
    Ok(Some((event, body.expose().to_owned())))
}

pub(crate) fn read(row: &Row) -> Result<StoredEvent, StoreFailure> {
    let text = |column| row.str(column).map_err(failure);
    let event_type = text("event_type")?.parse().map_err(|_| {
        StoreFailure::Broken("a stored event is of a type that is not known here".to_owned())
    })?;
    Ok(StoredEvent {
        merchant_id: record::id(MerchantId::parse(text("merchant_id")?))?,
        event_id: record::id(EventId::parse(text("event_id")?))?,
        profile_id: record::id(ProfileId::parse(text("profile_id")?))?,
        event_type,
        object_id: text("object_id")?.to_owned(),
        endpoint_id: None,
        is_delivered: row.opt_bool("is_delivered").map_err(failure)?,
        created_at: Timestamp::from_micros(row.int("created_at").map_err(failure)?),
    })
}

/// Returns the body of a row; without the personal data, if the customer was redacted since.
pub(crate) fn body(
    row: &Row,
    merchant_id: &MerchantId,
    event_id: &EventId,
    keys: &OpenKeys<'_>,
) -> Result<SecretText, StoreFailure> {
    let place = |of| place(of, merchant_id, event_id.as_str());
    let Some(personal) = row.opt_bytes(PERSONAL).map_err(failure)? else {
        return keys.open(row, BODY, &place(WHOLE_PLACE));
    };
    let redacted = keys.open(row, BODY, &place(PARTED_PLACE))?;
    let told = match keys.open_bytes(&place(PERSONAL_PLACE), &personal) {
        Ok(told) => told,
        Err(StoreFailure::Destroyed(_)) => return Ok(redacted),
        Err(failure) => return Err(failure),
    };
    event_body::put_back(&redacted, &told).ok_or_else(|| {
        StoreFailure::Broken("the personal data of an event doesn't fit into its body".to_owned())
    })
}

/// Deletes old events with their attempts, including events that are still queued.
pub(crate) async fn purge(
    engine: &Engine,
    made_before: Timestamp,
    at_most: i64,
) -> Result<Purged, StoreFailure> {
    let before = made_before.as_micros();
    let parameters = values![before, MERCHANTS_AT_ONCE];
    let merchants = engine.fetch(Read::new(MERCHANT_WITH_OLD, parameters).long());
    let mut left = at_most;
    let mut purged = Purged::default();
    for merchant in merchants.await.map_err(failure)? {
        if left <= 0 {
            break;
        }
        let merchant_id = merchant.str("merchant_id").map_err(failure)?;
        let old = Read::new(OLD, values![merchant_id, before, left]).long();
        let rows = engine.fetch(old).await.map_err(failure)?;
        left -= rows.len() as i64;
        let mut writes = Vec::with_capacity(rows.len() * 3);
        for row in &rows {
            let event_id = row.str("event_id").map_err(failure)?;
            let of_event = values![merchant_id, event_id];
            writes.push(Write::new(PURGE_DELIVERY, of_event.clone()).any_rows());
            writes.push(Write::new(PURGE_FURTHER, of_event.clone()).any_rows());
            writes.push(Write::new(PURGE, of_event).any_rows());
        }
        let changed = record::write_any(engine, writes).await?;
        for of_event in changed.chunks(3) {
            let (queued, events) = of_event.split_at(of_event.len().min(2));
            purged.undelivered += u64::from(queued.iter().any(|rows| *rows > 0));
            purged.events += events.iter().sum::<u64>();
        }
    }
    Ok(purged)
}

fn place(of: &str, merchant_id: &MerchantId, event_id: &str) -> String {
    [of, ":", merchant_id.as_str(), "/", event_id].concat()
}
