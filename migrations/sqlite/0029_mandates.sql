-- Payers' permissions for later charges.
create table mandates (
    merchant_id text not null,
    mandate_id text not null,
    version bigint not null,
    status text not null,
    profile_id text not null,
    customer_id text not null,
    -- The payment by which its payer agreed, the last one where he did so again.
    payment_id text not null,
    -- What it charges. It outlives the method, whose deletion revokes it.
    payment_method_id text not null,
    payment_method text not null,
    payment_method_type text,
    connector text,
    merchant_connector_id text,
    -- Whether one charge uses it up, and by which payment that was done.
    is_single_use boolean not null,
    charged_by text,
    -- What is permitted.
    record text not null,
    created_at bigint not null,
    modified_at bigint not null,
    primary key (merchant_id, mandate_id)
) without rowid;
create index mandates_by_creation on mandates (merchant_id, created_at desc, mandate_id desc);
create index mandates_by_customer on mandates (merchant_id, customer_id, created_at desc, mandate_id desc);
create index mandates_by_method on mandates (merchant_id, payment_method_id);
