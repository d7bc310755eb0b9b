-- What processors tell unasked: written down as it came, worked on after.
create table notices (
    notice_id text collate "C" primary key not null,
    merchant_id text not null,
    merchant_connector_id text not null,
    connector text not null,
    -- Keyed hash of the body: a notice that comes again is the same row.
    body_hash text not null,
    -- How often it came.
    receipts bigint not null,
    -- What came, sealed.
    content bytea not null,
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
create unique index notices_once on notices (merchant_id, merchant_connector_id, body_hash);
create index notices_due on notices (due_at) where due_at is not null;
create index notices_by_receipt on notices (received_at, notice_id);
