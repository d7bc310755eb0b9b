-- Sessions of the operator at the console. They end at a fixed time, and with the admin key that began them.
create table operator_sessions (
    -- The keyed hash of the token.
    hash text not null primary key,
    -- The keyed hash of the admin key.
    key_hash text not null,
    created_at bigint not null,
    expires_at bigint not null
);
create index operator_sessions_by_expiry on operator_sessions (expires_at);
