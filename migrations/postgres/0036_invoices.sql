-- What subscriptions are billed. An invoice is written under its subscription's version; record holds all of it.
create table invoices (
    merchant_id text collate "C" not null,
    invoice_id text collate "C" not null,
    subscription_id text collate "C" not null,
    -- Counts the subscription's invoices, from 1.
    number bigint not null,
    -- When the period begins that it was made for; null where there is none.
    period_start bigint,
    status text not null,
    is_open boolean not null,
    amount bigint not null,
    currency text not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, invoice_id),
    constraint invoices_amount_not_negative check (amount >= 0)
);
-- Each period has one invoice, whoever makes it.
create unique index invoices_by_number on invoices (merchant_id, subscription_id, number);
create unique index invoices_by_period on invoices (merchant_id, subscription_id, period_start)
    where period_start is not null;
create index invoices_open on invoices (merchant_id, subscription_id) where is_open;
