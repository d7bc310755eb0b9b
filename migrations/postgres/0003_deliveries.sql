-- Events that are still to be delivered: a row each, gone when it was delivered or given up.
create table deliveries (
    merchant_id text not null,
    event_id text collate "C" not null,
    -- <merchant_id>/<profile_id>
    endpoint text collate "C" not null,
    object_id text not null,
    object_sequence bigint not null,
    -- initial_attempt, automatic_retry, manual_retry
    next_kind text not null,
    -- Automatic retries of the present schedule, the one that is now due included.
    retries_done bigint not null,
    next_at bigint not null,
    first_failed_at bigint,
    -- Wall time until which somebody is at it; 0 when nobody is.
    lease_until bigint not null,
    -- Counts the claims: whoever holds an older one has lost the delivery.
    fence bigint not null,
    -- When it was ordered, by the event or by a replay since: a try decides about the order that it was made for.
    queued_at bigint not null,
    primary key (merchant_id, event_id),
    foreign key (merchant_id, event_id) references events (merchant_id, event_id) on delete cascade
);
create index deliveries_by_endpoint on deliveries (endpoint, next_at, event_id);
create index deliveries_by_object on deliveries (merchant_id, object_id, object_sequence);

-- Every try as it was made. The sealed part is what went over the wire beside the body, which is the event's: headers
-- may carry credentials of the merchant's endpoint.
create table delivery_attempts (
    merchant_id text not null,
    event_id text collate "C" not null,
    initial_attempt_id text collate "C" not null,
    delivery_attempt text not null,
    created_at bigint not null,
    sealed bytea not null,
    primary key (merchant_id, event_id),
    foreign key (merchant_id, initial_attempt_id) references events (merchant_id, event_id) on delete cascade
);
create index delivery_attempts_by_event on delivery_attempts (merchant_id, initial_attempt_id, created_at, event_id);

-- Endpoints that don't do well; one that takes something again has no row.
create table webhook_endpoints (
    endpoint text collate "C" primary key not null,
    failing_since bigint not null,
    failures bigint not null,
    paused_at bigint
);
