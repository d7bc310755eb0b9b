-- Deliveries to the further webhook endpoints of profiles, as `deliveries` has those to profiles' own addresses. They have a
-- table of their own: a server of before knows one delivery of an event.
create table endpoint_deliveries (
    merchant_id text not null,
    event_id text not null,
    -- <merchant_id>/<profile_id>/<webhook_endpoint_id>
    endpoint text not null,
    object_id text not null,
    object_sequence bigint not null,
    next_kind text not null,
    retries_done bigint not null,
    next_at bigint not null,
    first_failed_at bigint,
    lease_until bigint not null,
    fence bigint not null,
    queued_at bigint not null,
    primary key (merchant_id, event_id, endpoint),
    foreign key (merchant_id, event_id) references events (merchant_id, event_id) on delete cascade
) without rowid;
create index endpoint_deliveries_by_endpoint on endpoint_deliveries (endpoint, next_at, event_id);
create index endpoint_deliveries_by_object on endpoint_deliveries (merchant_id, object_id, endpoint, object_sequence);

-- The events of an endpoint, and whether each has arrived there, as `events` has it for the profile's own address.
create table endpoint_events (
    merchant_id text not null,
    event_id text not null,
    webhook_endpoint_id text not null,
    created_at bigint not null,
    -- Null: nothing was sent yet. False: tried, never taken. True: delivered.
    is_delivered boolean,
    primary key (merchant_id, event_id, webhook_endpoint_id),
    foreign key (merchant_id, event_id) references events (merchant_id, event_id) on delete cascade
) without rowid;
create index endpoint_events_by_creation
    on endpoint_events (merchant_id, webhook_endpoint_id, created_at, event_id, is_delivered);

-- The endpoint that was tried; null for the profile's own address.
alter table delivery_attempts add column webhook_endpoint_id text;
