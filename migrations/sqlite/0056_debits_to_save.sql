-- A debit saves its bank account, which refers to no card. The account rests sealed among the particulars. SQLite takes a new
-- table for columns that may be null.
create table methods_to_save (
    merchant_id text not null,
    payment_id text not null,
    attempt_number bigint not null,
    customer_id text not null,
    payment_method_id text not null,
    -- Null of cards.
    payment_method text,
    payment_method_type text,
    -- The next three are null of what is no card.
    card_fingerprint text,
    key_id text,
    sealed blob,
    card_details text not null,
    holder_name text,
    nick_name text,
    particulars text not null,
    created_at bigint not null,
    is_agreed boolean not null default false,
    holder_name_sealed blob,
    nick_name_sealed blob,
    particulars_sealed blob,
    primary key (merchant_id, payment_id, attempt_number)
) without rowid;
insert into methods_to_save (merchant_id, payment_id, attempt_number, customer_id, payment_method_id, payment_method_type,
    card_fingerprint, key_id, sealed, card_details, holder_name, nick_name, particulars, created_at, is_agreed,
    holder_name_sealed, nick_name_sealed, particulars_sealed)
    select merchant_id, payment_id, attempt_number, customer_id, payment_method_id, payment_method_type, card_fingerprint,
    key_id, sealed, card_details, holder_name, nick_name, particulars, created_at, is_agreed, holder_name_sealed,
    nick_name_sealed, particulars_sealed from cards_to_save;
drop table cards_to_save;
alter table methods_to_save rename to cards_to_save;
create index cards_to_save_by_age on cards_to_save (created_at);
create index cards_to_save_by_key on cards_to_save (key_id);
create index cards_to_save_by_customer on cards_to_save (merchant_id, customer_id);
