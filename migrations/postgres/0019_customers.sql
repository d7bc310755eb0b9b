-- Payers in the merchants' books. record holds what names nobody, personal the rest, sealed. The row of a redacted customer
-- stays, so that the id is not given away again.
create table customers (
    merchant_id text collate "C" not null,
    customer_id text collate "C" not null,
    version bigint not null,
    -- active, redacted
    status text not null,
    -- The saved payment method that is taken where none is named.
    default_payment_method_id text,
    -- Keyed hashes to search by; null where there is no such member, and of redacted customers.
    email_hash text,
    phone_hash text,
    record text not null,
    personal bytea not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, customer_id)
);
create index customers_by_creation on customers (merchant_id, created_at, customer_id);
create index customers_by_email on customers (merchant_id, email_hash, created_at, customer_id) where email_hash is not null;
create index customers_by_phone on customers (merchant_id, phone_hash, created_at, customer_id) where phone_hash is not null;

-- Redacted customers whose payments may still tell who they were: one row each, gone when all of them have been looked through.
create table customer_redactions (
    merchant_id text not null,
    customer_id text not null,
    -- Payments up to this one, by time and id, are done.
    done_until bigint not null,
    done_payment_id text collate "C" not null,
    -- The first pass finds nearly all of them; the last one begins when no request that took the customer for active can be at work.
    is_last_pass boolean not null,
    -- Payments of this pass that could not be redacted.
    skipped bigint not null,
    requested_at bigint not null,
    due_at bigint not null,
    -- Wall time until which one server is at it; 0 when none is.
    lease_until bigint not null,
    -- Counts the claims.
    fence bigint not null,
    primary key (merchant_id, customer_id)
);
create index customer_redactions_due on customer_redactions (due_at);
