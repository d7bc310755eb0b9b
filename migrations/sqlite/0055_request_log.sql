-- The latest requests of each merchant account with their masked answers. Rows are deleted after a set time, and the
-- oldest ones of an account that has too many.
create table request_log (
    merchant_id text not null,
    -- A UUID of version 7, so the ids are in the order of time.
    request_id text not null,
    requested_at bigint not null,
    duration_ms bigint not null,
    method text not null,
    path text not null,
    path_template text not null,
    operation text not null,
    status bigint not null,
    error_code text,
    -- Kind of the caller.
    caller text not null,
    -- The API key or the user.
    caller_id text,
    profile_id text,
    payment_id text,
    object_id text,
    -- Masked.
    idempotency_key text,
    agent text,
    -- Masked and sealed.
    request_body blob,
    request_body_cut boolean not null,
    answer_body blob,
    answer_body_cut boolean not null,
    primary key (merchant_id, request_id)
);
create index request_log_by_age on request_log (requested_at);
