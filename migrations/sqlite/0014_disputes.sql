-- Money that payers, or their banks, claim back. record holds the whole dispute; the columns beside it are what is searched,
-- sorted or guarded.
create table disputes (
    merchant_id text not null,
    dispute_id text not null,
    version bigint not null,
    payment_id text not null,
    profile_id text not null,
    stage text not null,
    status text not null,
    amount bigint not null,
    currency text not null,
    connector text not null,
    merchant_connector_id text not null,
    -- The processor's id of the dispute.
    connector_dispute_id text not null,
    -- In the processor's words.
    reason text,
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, dispute_id),
    constraint disputes_amount_not_negative check (amount >= 0)
);
-- However often, and in whatever order, a processor tells of it: it is one dispute.
create unique index disputes_connector_dispute_id on disputes (merchant_id, merchant_connector_id, connector_dispute_id);
create index disputes_of_payment on disputes (merchant_id, payment_id, created_at);
create index disputes_by_change on disputes (merchant_id, modified_at, dispute_id);
