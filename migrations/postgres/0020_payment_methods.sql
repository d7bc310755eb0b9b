-- Numbers of saved cards, each once for its merchant.
create table vault_cards (
    merchant_id text collate "C" not null,
    card_fingerprint text collate "C" not null,
    -- The key that it is sealed with.
    key_id text not null,
    -- Bound to merchant and fingerprint.
    sealed bytea not null,
    created_at bigint not null,
    -- The customer whose methods are being deleted, while they are.
    released_by text,
    primary key (merchant_id, card_fingerprint)
);
create index vault_cards_by_key on vault_cards (key_id);
create index vault_cards_released on vault_cards (merchant_id, released_by) where released_by is not null;
-- Methods that customers have saved.
create table payment_methods (
    merchant_id text collate "C" not null,
    payment_method_id text collate "C" not null,
    version bigint not null,
    customer_id text collate "C" not null,
    status text not null,
    payment_method text not null,
    payment_method_type text,
    card_fingerprint text collate "C" not null,
    -- What may be shown of the card, but for the next two, which a later payment may leave out.
    card_details text not null,
    holder_name text,
    nick_name text,
    particulars text not null,
    created_at bigint not null,
    modified_at bigint not null,
    last_used_at bigint not null,
    primary key (merchant_id, payment_method_id),
    constraint payment_methods_card
        foreign key (merchant_id, card_fingerprint) references vault_cards (merchant_id, card_fingerprint)
);
create index payment_methods_last_used
    on payment_methods (merchant_id, customer_id, last_used_at desc, payment_method_id);
create index payment_methods_by_card on payment_methods (merchant_id, card_fingerprint);
-- Cards that are saved as soon as the attempt that they pay is approved, and forgotten if it isn't.
create table cards_to_save (
    merchant_id text collate "C" not null,
    payment_id text not null,
    attempt_number bigint not null,
    customer_id text collate "C" not null,
    payment_method_id text collate "C" not null,
    payment_method_type text,
    card_fingerprint text collate "C" not null,
    key_id text not null,
    sealed bytea not null,
    card_details text not null,
    holder_name text,
    nick_name text,
    particulars text not null,
    created_at bigint not null,
    primary key (merchant_id, payment_id, attempt_number)
);
create index cards_to_save_by_age on cards_to_save (created_at);
create index cards_to_save_by_key on cards_to_save (key_id);
create index cards_to_save_by_customer on cards_to_save (merchant_id, customer_id);
-- What stands for a saved method for a short time.
create table payment_tokens (
    merchant_id text collate "C" not null,
    token text collate "C" not null,
    customer_id text collate "C" not null,
    payment_method_id text collate "C" not null,
    expires_at bigint not null,
    primary key (merchant_id, token)
);
create index payment_tokens_by_expiry on payment_tokens (expires_at);
create index payment_tokens_by_method on payment_tokens (merchant_id, payment_method_id);
-- saved_card where a saved card pays; null of the others, which are told by payment_method.
alter table payments add column card_discovery text;
