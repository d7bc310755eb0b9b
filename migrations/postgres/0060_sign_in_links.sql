-- Links that sign a user in to the console, once.
create table sign_in_links (
    -- The keyed hash of the token.
    hash text not null primary key,
    user_id text not null,
    expires_at bigint not null
);
create index sign_in_links_by_user on sign_in_links (user_id);
