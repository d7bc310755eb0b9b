-- Who pays for period after period. record holds the whole subscription; the columns beside it are what is searched, sorted or
-- claimed.
create table subscriptions (
    merchant_id text collate "C" not null,
    subscription_id text collate "C" not null,
    version bigint not null,
    profile_id text not null,
    customer_id text not null,
    merchant_reference_id text,
    status text not null,
    -- When time does something to it or to one of its invoices; null while it does nothing.
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, subscription_id)
);
create unique index subscriptions_reference on subscriptions (merchant_id, merchant_reference_id)
    where merchant_reference_id is not null;
create index subscriptions_due on subscriptions (due_at, merchant_id, subscription_id, lease_until, fence)
    where due_at is not null;
create index subscriptions_by_creation on subscriptions (merchant_id, profile_id, created_at, subscription_id);
