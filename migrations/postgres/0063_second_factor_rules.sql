-- Merchant accounts whose users need a second factor, and since when.
create table second_factor_rules (
    merchant_id text not null primary key,
    required_since bigint not null
);
