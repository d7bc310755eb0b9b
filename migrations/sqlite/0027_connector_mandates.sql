-- What processors keep of saved methods, by the account through which it can be charged.
create table connector_mandates (
    merchant_id text not null,
    payment_method_id text not null,
    merchant_connector_id text not null,
    -- The processor's id of what it keeps, and of whose it is.
    connector_mandate_id text not null,
    connector_customer_id text,
    created_at bigint not null,
    primary key (merchant_id, payment_method_id, merchant_connector_id)
) without rowid;
