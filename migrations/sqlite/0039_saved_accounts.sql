-- A saved method may be a bank account, which refers to no card: card_fingerprint may be null. What is said of the account rests
-- sealed among the particulars. SQLite takes a new table for that.
create table payment_methods_without_cards (
    merchant_id text not null,
    payment_method_id text not null,
    version bigint not null,
    customer_id text not null,
    status text not null,
    payment_method text not null,
    payment_method_type text,
    -- Null of what is no card.
    card_fingerprint text,
    -- What may be shown of the card, but for the next two, which a later payment may leave out.
    card_details text not null,
    holder_name text,
    nick_name text,
    particulars text not null,
    created_at bigint not null,
    modified_at bigint not null,
    last_used_at bigint not null,
    -- The payment by which the payer agreed to be charged without being there.
    agreed_by text,
    -- The scheme's reference of the newest payment that saved it.
    network_transaction_id text,
    -- Who holds a saved method, sealed with the key of its customer. What is sealed leaves the column of the same name empty.
    holder_name_sealed blob,
    nick_name_sealed blob,
    particulars_sealed blob,
    primary key (merchant_id, payment_method_id),
    constraint payment_methods_card
        foreign key (merchant_id, card_fingerprint) references vault_cards (merchant_id, card_fingerprint)
) without rowid;
insert into payment_methods_without_cards (merchant_id, payment_method_id, version, customer_id, status, payment_method,
    payment_method_type, card_fingerprint, card_details, holder_name, nick_name, particulars, created_at, modified_at,
    last_used_at, agreed_by, network_transaction_id, holder_name_sealed, nick_name_sealed, particulars_sealed)
    select merchant_id, payment_method_id, version, customer_id, status, payment_method, payment_method_type,
    card_fingerprint, card_details, holder_name, nick_name, particulars, created_at, modified_at, last_used_at, agreed_by,
    network_transaction_id, holder_name_sealed, nick_name_sealed, particulars_sealed from payment_methods;
drop table payment_methods;
alter table payment_methods_without_cards rename to payment_methods;
create index payment_methods_last_used
    on payment_methods (merchant_id, customer_id, last_used_at desc, payment_method_id);
create index payment_methods_by_card on payment_methods (merchant_id, card_fingerprint);
