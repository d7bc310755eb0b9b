-- Idempotency keys. The row is written by the first commit of a request and points to what that commit made; the answer,
-- sealed, joins with the last one. A key belongs to one merchant and one operation.
create table idempotency_keys (
    merchant_id text not null,
    operation text not null,
    idempotency_key text not null,
    -- Keyed hashes of what the request said, by member.
    fingerprint text not null,
    object_id text not null,
    answer bytea,
    -- Wall time until which the first request counts as being worked on.
    lease_until bigint not null,
    created_at bigint not null,
    primary key (merchant_id, operation, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
