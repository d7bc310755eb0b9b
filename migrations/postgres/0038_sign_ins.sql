-- When a sign-in was last used, to within ten minutes, and from where it was made: sealed with the key of the merchant account
-- that its user acts in. Null in rows of before.
alter table user_sessions add column last_used_at bigint;
alter table user_sessions add column client bytea;

-- Second factors: secrets (sealed with the key of the merchant account that the user came with) holds what an authenticator shares
-- with us, and the hashes of recovery codes. Null in confirmed_at: nobody is asked for it yet.
create table user_second_factors (
    user_id text collate "C" not null primary key,
    home_merchant_id text not null,
    version bigint not null,
    secrets bytea not null,
    confirmed_at bigint,
    -- The time step of the last code that was taken.
    last_step bigint not null,
    -- When all guesses are forgotten.
    guesses_empty_at bigint not null,
    created_at bigint not null
);

-- What lets a user who knows his password take the second step, once; a keyed hash of it.
create table user_second_steps (
    hash text not null primary key,
    user_id text not null,
    expires_at bigint not null
);
create index user_second_steps_by_user on user_second_steps (user_id);
create index user_second_steps_by_expiry on user_second_steps (expires_at);

-- Mail that lets somebody choose a password: one of a kind for an address. What it is about is looked up when it is written.
create table password_mails (
    email_hash text not null,
    kind text not null,
    due_at bigint not null,
    lease_until bigint not null,
    fence bigint not null,
    tries bigint not null,
    -- When it was handed over or given up; null while it waits.
    done_at bigint,
    primary key (email_hash, kind)
);
create index password_mails_due on password_mails (due_at) where done_at is null;
create index password_mails_done on password_mails (done_at) where done_at is not null;
