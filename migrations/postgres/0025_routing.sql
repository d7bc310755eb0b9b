-- Routing configurations. A row never changes; which of them is active stands in its profile's record.
create table routing_configurations (
    merchant_id text collate "C" not null,
    routing_id text collate "C" not null,
    profile_id text not null,
    -- payment, payout, three_ds_authentication
    transaction_type text not null,
    kind text not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, routing_id)
);
create index routing_configurations_listed
    on routing_configurations (merchant_id, transaction_type, modified_at, routing_id);
