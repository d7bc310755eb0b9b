-- How often it was tried to sign in to an account, from everywhere and from one place: a keyed hash of either, and the moment at
-- which all tries are forgotten.
create table sign_in_tries (
    hash text not null primary key,
    empty_at bigint not null
) without rowid;
create index sign_in_tries_by_end on sign_in_tries (empty_at);
