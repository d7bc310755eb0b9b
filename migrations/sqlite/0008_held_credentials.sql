-- Credentials that callers brought, sealed, while what they began is open.
create table held_credentials (
    merchant_id text not null,
    payment_id text not null,
    attempt_number bigint not null,
    sealed blob not null,
    -- When the client secret of a payment that wasn't sent lapses; null once it was sent.
    expires_at bigint,
    primary key (merchant_id, payment_id, attempt_number)
) without rowid;
create index held_credentials_by_expiry on held_credentials (expires_at) where expires_at is not null;
