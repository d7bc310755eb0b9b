-- A table of its own rows again: what came can be long, and rows that stand in the tree of their key are slow to pass by.
create table notices_by_row (
    notice_id text primary key not null,
    merchant_id text not null,
    merchant_connector_id text not null,
    connector text not null,
    -- Keyed hash of the body: a notice that comes again is the same row.
    body_hash text not null,
    -- How often it came.
    receipts bigint not null,
    -- What came, sealed.
    content blob not null,
    status text not null,
    -- The processor's words for what it tells, once it was read; JSON.
    kinds text not null,
    -- What it was found to be about; JSON.
    objects text not null,
    received_at bigint not null,
    -- Business time of the next look at it; null when there is nothing left to do.
    due_at bigint,
    -- Wall time until which one server works on it; 0 when none does.
    lease_until bigint not null,
    -- Counts the claims: the holder of an older one has lost the notice.
    fence bigint not null
);
insert into notices_by_row (notice_id, merchant_id, merchant_connector_id, connector, body_hash, receipts, content, status,
    kinds, objects, received_at, due_at, lease_until, fence)
    select notice_id, merchant_id, merchant_connector_id, connector, body_hash, receipts, content, status,
    kinds, objects, received_at, due_at, lease_until, fence from notices;
drop table notices;
alter table notices_by_row rename to notices;
-- In place of notices_once, which began with the merchant: lists of a merchant's notices took it, and sorted all of them.
create unique index notices_by_body on notices (body_hash, merchant_connector_id, merchant_id);
create index notices_due on notices (due_at) where due_at is not null;
-- Lists go by what it holds, and look at a row only to show it.
create index notices_listed on notices (received_at, notice_id, merchant_id, merchant_connector_id, status);
create index notices_leased on notices (lease_until) where lease_until > 0;
