//! The commits of the bare loop: as many rows and bytes, in tables with as many indexes, as the three commits of a payment
//! that is created and then confirmed. No checks, no reads, no conditions.

/// The tables; `text` and `bigint` mean the same to both engines.
pub const TABLES: &str = "
    create table bare_payments (
        merchant_id text not null, payment_id text not null, version bigint not null, status text not null,
        record text not null, created_at bigint not null, sync_at bigint,
        primary key (merchant_id, payment_id));
    create index bare_payments_by_creation on bare_payments (merchant_id, created_at, payment_id);
    create index bare_payments_to_sync on bare_payments (sync_at) where sync_at is not null;
    create table bare_attempts (
        merchant_id text not null, payment_id text not null, attempt_number bigint not null, is_open boolean not null,
        authorization_key text, record text not null,
        primary key (merchant_id, payment_id, attempt_number));
    create unique index bare_attempts_one_open on bare_attempts (merchant_id, payment_id) where is_open;
    create unique index bare_attempts_key on bare_attempts (authorization_key) where authorization_key is not null;
    create table bare_events (
        merchant_id text not null, event_id text not null, event_type text not null, object_id text not null,
        about_id text not null, created_at bigint not null,
        primary key (merchant_id, event_id));
    create unique index bare_events_once on bare_events (merchant_id, object_id, event_type, about_id);
    create table bare_change_sets (
        change_set_id text primary key not null, merchant_id text, actor text not null, request_id text,
        committed_at bigint not null)";

const INSERT_PAYMENT: &str =
    "insert into bare_payments values ('merchant', $1, 1, 'requires_payment_method', $2, $3, null)";
const INSERT_ATTEMPT: &str = "insert into bare_attempts values ('merchant', $1, 1, true, null, $2)";
const SEND_PAYMENT: &str = "update bare_payments set version = 2, status = 'processing', record = $2, sync_at = $3 \
     where merchant_id = 'merchant' and payment_id = $1";
const SEND_ATTEMPT: &str = "update bare_attempts set authorization_key = $1, record = $2 \
     where merchant_id = 'merchant' and payment_id = $1 and attempt_number = 1";
const SETTLE_PAYMENT: &str = "update bare_payments set version = 3, status = 'succeeded', record = $2, sync_at = null \
     where merchant_id = 'merchant' and payment_id = $1";
const SETTLE_ATTEMPT: &str = "update bare_attempts set is_open = false, record = $2 \
     where merchant_id = 'merchant' and payment_id = $1 and attempt_number = 1";
const RECORD_EVENT: &str =
    "insert into bare_events values ('merchant', $1, 'payment_succeeded', $1, $1, $2)";
const INSERT_CHANGE_SET: &str =
    "insert into bare_change_sets values ($1, 'merchant', 'api_key:key', $1, $2)";

/// One statement, with the values of `$1`, `$2`, ...
pub struct Statement {
    pub sql: &'static str,
    pub values: Vec<Value>,
}

/// A parameter.
pub enum Value {
    Text(String),
    Int(i64),
}

/// Bytes of a stored payment and of a stored attempt: estimates, still to be compared with a real database.
const PAYMENT_RECORD: usize = 1_100;
const ATTEMPT_RECORD: usize = 700;

/// Returns the statements of the `number`th commit of a connection: create, send, settle, in turn.
pub fn statements(connection: usize, number: u64) -> Vec<Statement> {
    let payment = format!("pay_{:020}", scatter(connection as u64, number / 3));
    let change_set = format!("cs_{:020}", scatter(connection as u64 + 1_000, number));
    let now = 1_767_268_800_000_000 + number as i64;
    let text = |text: &str| Value::Text(text.to_owned());
    let record = |length| Value::Text("r".repeat(length));
    let mut all = match number % 3 {
        0 => vec![
            Statement {
                sql: INSERT_PAYMENT,
                values: vec![text(&payment), record(PAYMENT_RECORD), Value::Int(now)],
            },
            Statement {
                sql: INSERT_ATTEMPT,
                values: vec![text(&payment), record(ATTEMPT_RECORD)],
            },
        ],
        1 => vec![
            Statement {
                sql: SEND_PAYMENT,
                values: vec![text(&payment), record(PAYMENT_RECORD), Value::Int(now)],
            },
            Statement {
                sql: SEND_ATTEMPT,
                values: vec![text(&payment), record(ATTEMPT_RECORD)],
            },
        ],
        _ => vec![
            Statement {
                sql: SETTLE_PAYMENT,
                values: vec![text(&payment), record(PAYMENT_RECORD)],
            },
            Statement {
                sql: SETTLE_ATTEMPT,
                values: vec![text(&payment), record(ATTEMPT_RECORD)],
            },
            Statement {
                sql: RECORD_EVENT,
                values: vec![text(&payment), Value::Int(now)],
            },
        ],
    };
    all.push(Statement {
        sql: INSERT_CHANGE_SET,
        values: vec![text(&change_set), Value::Int(now)],
    });
    all
}

/// Returns an id in random order, as ours are: each pair has one of its own.
fn scatter(connection: u64, number: u64) -> u64 {
    // Odd factors and shifts to the right can be undone, so no two numbers meet.
    let mixed = (connection << 40 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}
