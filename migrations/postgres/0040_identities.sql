-- Sign-ins by the identity provider that were begun and not finished: a keyed hash of what finishes one, once.
create table oidc_sign_ins (
    hash text not null primary key,
    expires_at bigint not null
);
create index oidc_sign_ins_by_expiry on oidc_sign_ins (expires_at);

-- Who of the identity provider is which user: a keyed hash of issuer and subject. A user is one of them at most.
create table user_identities (
    hash text not null primary key,
    user_id text not null,
    created_at bigint not null
);
create unique index user_identities_by_user on user_identities (user_id);
