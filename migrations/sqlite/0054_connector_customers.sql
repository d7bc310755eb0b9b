-- Customers as processors know them, by the account through which that is: one for each, whatever they pay or save.
create table connector_customers (
    merchant_id text not null,
    customer_id text not null,
    merchant_connector_id text not null,
    -- The processor's id.
    connector_customer_id text not null,
    created_at bigint not null,
    primary key (merchant_id, customer_id, merchant_connector_id)
) without rowid;

-- What processors are still to be asked to delete, because it was deleted here: one row each, gone when it is done.
create table connector_deletions (
    merchant_id text not null,
    merchant_connector_id text not null,
    -- The processor's id.
    reference text not null,
    -- method or customer.
    kind text not null,
    -- Of a method: the processor's id of whose it is.
    connector_customer_id text,
    requested_at bigint not null,
    due_at bigint not null,
    -- Requests that came to nothing.
    tries bigint not null,
    -- Wall time until which one server is at it; 0 when none is.
    lease_until bigint not null,
    -- Counts the claims.
    fence bigint not null,
    primary key (merchant_id, merchant_connector_id, reference)
) without rowid;
create index connector_deletions_due on connector_deletions (due_at);
