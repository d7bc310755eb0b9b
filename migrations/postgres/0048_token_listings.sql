-- Lists of saved methods that gave out tokens: one row stands for all of them. `payment_tokens` holds what payments have claimed.
create table token_listings (
    merchant_id text collate "C" not null,
    -- What its tokens begin with; they end as the ids of the methods do.
    listing text collate "C" not null,
    customer_id text collate "C" not null,
    -- What is saved later has no token of it.
    listed_at bigint not null,
    expires_at bigint not null,
    primary key (merchant_id, listing)
);
create index token_listings_by_expiry on token_listings (expires_at);
-- A payment was approved with it: nobody pays with it any more.
alter table payment_tokens add column is_used boolean not null default false;
