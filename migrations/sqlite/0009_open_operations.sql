-- Operations at a processor that have no final answer: one row for each, of whatever object it belongs to.
create table open_operations (
    -- The name under which the processor knows the operation.
    processor_key text primary key not null,
    merchant_id text not null,
    -- payment
    object_class text not null,
    object_id text not null,
    connector text not null,
    -- Null where the credentials were brought along.
    merchant_connector_id text,
    -- Business time of the next question.
    due_at bigint not null,
    -- Wall time until which somebody is at it; 0 when nobody is.
    lease_until bigint not null,
    -- Counts the claims: whoever holds an older one has lost the operation.
    fence bigint not null,
    -- Why there is no final answer.
    reason text not null,
    -- What operators are shown. A trace that is missing is asked about for a while, though it counts as an answer.
    is_unresolved boolean not null
) without rowid;
create index open_operations_due on open_operations (due_at, connector);
create index open_operations_by_object on open_operations (merchant_id, object_class, object_id);
