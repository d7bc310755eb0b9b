-- What wallets handed over and a payment was confirmed with: no other payment of the merchant is.
create table wallet_tokens (
    merchant_id text not null,
    -- A keyed hash of what is the same in every copy.
    token_hash text not null,
    payment_id text not null,
    claimed_at bigint not null,
    primary key (merchant_id, token_hash)
) without rowid;
create index wallet_tokens_by_age on wallet_tokens (claimed_at);
