-- How full the leaky buckets of elimination are: a bucket is empty at empty_at, and by that full or not at any moment.
create table elimination_buckets (
    merchant_id text collate "C" not null,
    profile_id text collate "C" not null,
    -- The values of the payments that it is for.
    parameters text collate "C" not null,
    merchant_connector_id text collate "C" not null,
    category text collate "C" not null,
    empty_at bigint not null,
    primary key (merchant_id, profile_id, parameters, merchant_connector_id, category)
);
create index elimination_buckets_by_end on elimination_buckets (empty_at);

-- How many authorizations were decided and approved, by interval; share spreads one interval over several rows.
create table elimination_counts (
    merchant_id text collate "C" not null,
    profile_id text collate "C" not null,
    parameters text collate "C" not null,
    merchant_connector_id text collate "C" not null,
    slot_start bigint not null,
    share bigint not null,
    decided bigint not null,
    approved bigint not null,
    counts_until bigint not null,
    primary key (merchant_id, profile_id, parameters, merchant_connector_id, slot_start, share)
);
create index elimination_counts_by_end on elimination_counts (counts_until);
