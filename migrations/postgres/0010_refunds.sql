-- Money on its way back. record holds the whole refund; the columns beside it are what is searched, sorted or guarded.
create table refunds (
    merchant_id text collate "C" not null,
    refund_id text collate "C" not null,
    version bigint not null,
    payment_id text not null,
    profile_id text not null,
    status text not null,
    amount bigint not null,
    currency text not null,
    connector text not null,
    -- Null where the credentials were brought along.
    merchant_connector_id text,
    processor_key text not null,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, refund_id),
    constraint refunds_amount_positive check (amount > 0)
);
create unique index refunds_processor_key on refunds (processor_key);
create index refunds_of_payment on refunds (merchant_id, payment_id, created_at);
create index refunds_by_change on refunds (merchant_id, modified_at, refund_id);

-- What the refunds of one payment come to. Beside the payments, so that paying writes nothing of it.
create table refund_sums (
    merchant_id text not null,
    payment_id text not null,
    -- Given back, or perhaps still to be.
    refunded_amount bigint not null,
    -- What was captured, unless the processor's own words conflict; then it is what they come to.
    refundable_limit bigint not null,
    primary key (merchant_id, payment_id),
    constraint refund_sums_not_negative check (refunded_amount >= 0),
    constraint refund_sums_within_limit check (refunded_amount <= refundable_limit)
);

-- Credentials that callers brought for refunds, sealed, while those are open.
create table held_refund_credentials (
    merchant_id text not null,
    refund_id text not null,
    sealed bytea not null,
    primary key (merchant_id, refund_id)
);
