-- How many authorizations were decided and approved, by block of time; share spreads one block over several rows.
create table success_counts (
    merchant_id text not null,
    profile_id text not null,
    -- The values of the payments that it is for.
    parameters text not null,
    merchant_connector_id text not null,
    block_start bigint not null,
    share bigint not null,
    decided bigint not null,
    approved bigint not null,
    counts_until bigint not null,
    primary key (merchant_id, profile_id, parameters, merchant_connector_id, block_start, share)
);
create index success_counts_by_end on success_counts (counts_until);
