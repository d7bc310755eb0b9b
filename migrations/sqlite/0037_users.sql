-- Users: people who sign in. personal (sealed with the key of the merchant account that the user came with) holds who it is;
-- email_hash, keyed, is what he is found by.
create table users (
    user_id text not null primary key,
    email_hash text not null,
    home_merchant_id text not null,
    -- A slow hash; null while an invited user has chosen no password.
    password_hash text,
    version bigint not null,
    personal blob not null,
    created_at bigint not null,
    modified_at bigint not null
) without rowid;
create unique index users_by_email on users (email_hash);

-- Who may do what where.
create table user_roles (
    user_id text not null,
    organization_id text not null,
    -- The merchant account that the role is in; empty where it is one in the whole organization.
    scope text not null,
    -- The same account, or the one that the user begins in.
    merchant_id text not null,
    role text not null,
    created_at bigint not null,
    primary key (user_id, organization_id, scope)
) without rowid;

-- Sign-ins: what tokens stand for. One that was ended has no row.
create table user_sessions (
    session_id text not null primary key,
    user_id text not null,
    organization_id text not null,
    merchant_id text not null,
    profile_id text,
    created_at bigint not null,
    expires_at bigint not null
) without rowid;
create index user_sessions_by_user on user_sessions (user_id);
create index user_sessions_by_expiry on user_sessions (expires_at);

-- What lets a user choose a password, once; a keyed hash of it.
create table password_links (
    hash text not null primary key,
    user_id text not null,
    expires_at bigint not null
) without rowid;
create index password_links_by_user on password_links (user_id);

-- The accounts of an organization: where its admin begins when the one that he came with is closed.
create index merchant_accounts_by_organization on merchant_accounts (organization_id, created_at);
