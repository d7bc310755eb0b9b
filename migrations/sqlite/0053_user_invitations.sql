-- Roles that users were invited to and have not taken up: each waits for a token that was sent to the user's address.
create table user_invitations (
    user_id text not null,
    organization_id text not null,
    -- The merchant account that the role is in; empty where it is one in the whole organization.
    scope text not null,
    -- The same account, or the one that the user begins in.
    merchant_id text not null,
    role text not null,
    created_at bigint not null,
    expires_at bigint not null,
    primary key (user_id, organization_id, scope)
) without rowid;
create index user_invitations_by_expiry on user_invitations (expires_at);
