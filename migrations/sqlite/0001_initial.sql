-- multirail, first schema. Rules of this folder: migrations/README.md.
-- Times are microseconds since 1970 UTC, amounts are minor units, JSON is text, ids that callers choose are unique per
-- merchant only.

-- What the database knows of itself: the mode that it was born in, the business clock's offset.
create table settings (
    name text primary key not null,
    value text not null
) without rowid;

-- Random keys, each wrapped by the master key, which is never stored.
create table wrapped_keys (
    key_id text primary key not null,
    purpose text not null,
    wrapped blob not null,
    created_at bigint not null
);

-- One row a commit: who changed something and why, and the proof that a commit whose answer was lost took place.
create table change_sets (
    -- Later ones sort later.
    change_set_id text primary key not null,
    merchant_id text,
    actor text not null,
    request_id text,
    committed_at bigint not null
) without rowid;

create table organizations (
    organization_id text primary key not null,
    version bigint not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null
);

-- Deleted accounts stay as tombstones: their payments stay theirs and their ids are not given away again.
create table merchant_accounts (
    merchant_id text primary key not null,
    organization_id text not null,
    publishable_key text not null,
    version bigint not null,
    record text not null,
    secrets blob,
    created_at bigint not null,
    modified_at bigint not null,
    deleted_at bigint
);
create unique index merchant_accounts_publishable_key on merchant_accounts (publishable_key);

create table business_profiles (
    merchant_id text not null,
    profile_id text not null,
    profile_name text not null,
    version bigint not null,
    record text not null,
    secrets blob,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, profile_id)
);
create unique index business_profiles_name on business_profiles (merchant_id, profile_name);

-- The key itself is never stored, only its keyed hash.
create table api_keys (
    merchant_id text not null,
    key_id text not null,
    hash text not null,
    version bigint not null,
    record text not null,
    created_at bigint not null,
    primary key (merchant_id, key_id)
);
create unique index api_keys_hash on api_keys (hash);

create table connector_accounts (
    merchant_id text not null,
    merchant_connector_id text not null,
    profile_id text not null,
    connector_name text not null,
    connector_label text not null,
    version bigint not null,
    record text not null,
    secrets blob,
    created_at bigint not null,
    modified_at bigint not null,
    -- Gone for the API and for routing; what was begun with it is finished with its credentials.
    deleted_at bigint,
    primary key (merchant_id, merchant_connector_id)
);
create unique index connector_accounts_label on connector_accounts (merchant_id, profile_id, connector_label)
    where deleted_at is null;

-- record holds the whole payment; the columns beside it are what is searched, sorted, guarded or counted.
create table payments (
    merchant_id text not null,
    payment_id text not null,
    version bigint not null,
    profile_id text not null,
    status text not null,
    amount bigint not null,
    currency text not null,
    customer_id text,
    authentication_type text not null,
    merchant_order_reference_id text,
    connector text,
    merchant_connector_id text,
    payment_method text,
    payment_method_type text,
    card_network text,
    attempt_count bigint not null,
    capture_count bigint not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    -- When payment_sync asks the processor next; null while nothing is open.
    sync_at bigint,
    -- Something is without a final answer, and neither a refusal nor a trace that is missing is one.
    is_unresolved boolean not null,
    primary key (merchant_id, payment_id),
    constraint payments_amount_not_negative check (amount >= 0)
);
create index payments_by_creation on payments (merchant_id, created_at, payment_id);
create index payments_by_customer on payments (merchant_id, customer_id, created_at, payment_id)
    where customer_id is not null;
-- With the connector, because the backlog of one that is silent is passed over.
create index payments_to_sync on payments (sync_at, connector) where sync_at is not null;

create table attempts (
    merchant_id text not null,
    payment_id text not null,
    attempt_number bigint not null,
    status text not null,
    -- The attempt that the payment's status follows and that is not over.
    is_open boolean not null,
    authorization_key text,
    connector_transaction_id text,
    authorized_amount bigint not null,
    -- What captures may take in all: the authorized amount, unless overcapture was granted or the processor's own words
    -- conflict; then it is what the processor took.
    capturable_limit bigint not null,
    captured_amount bigint not null,
    pending_capture_amount bigint not null,
    voided_amount bigint not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, payment_id, attempt_number),
    constraint attempts_amounts_not_negative check (
        authorized_amount >= 0 and captured_amount >= 0 and pending_capture_amount >= 0 and voided_amount >= 0
    ),
    constraint attempts_captured_within_limit check (
        captured_amount + pending_capture_amount + voided_amount <= capturable_limit
    )
);
create unique index attempts_one_open on attempts (merchant_id, payment_id) where is_open;
create unique index attempts_authorization_key on attempts (authorization_key) where authorization_key is not null;

create table captures (
    merchant_id text not null,
    payment_id text not null,
    attempt_number bigint not null,
    capture_sequence bigint not null,
    status text not null,
    amount bigint not null,
    processor_key text not null,
    record text not null,
    primary key (merchant_id, payment_id, attempt_number, capture_sequence),
    constraint captures_amount_positive check (amount > 0)
);
create unique index captures_processor_key on captures (processor_key);

-- Cards that wait for their confirm, sealed. The card's code is never here.
create table held_cards (
    merchant_id text not null,
    payment_id text not null,
    sealed blob not null,
    expires_at bigint not null,
    primary key (merchant_id, payment_id)
) without rowid;
create index held_cards_by_expiry on held_cards (expires_at);

-- What merchants may be told, recorded in the commit that it announces. about_id names the attempt or capture, so that
-- the same news is recorded once and other news of the same type again. The body comes last: whoever counts or lists
-- doesn't read past the other columns.
create table events (
    merchant_id text not null,
    event_id text not null,
    profile_id text not null,
    event_class text not null,
    event_type text not null,
    object_id text not null,
    about_id text not null,
    -- The order among the events of one object.
    object_sequence bigint not null,
    -- Null: nothing was sent yet. False: tried, never taken. True: ultimately delivered.
    is_delivered boolean,
    created_at bigint not null,
    -- What is sent, byte for byte; sealed, because it holds what an answer of the API holds.
    body blob not null,
    primary key (merchant_id, event_id)
);
create unique index events_once on events (merchant_id, object_id, event_type, about_id);
-- Holds everything that events are counted and paged by, so that their bodies are not read for it.
create index events_by_creation on events (merchant_id, created_at, event_id, profile_id, event_type, is_delivered);
