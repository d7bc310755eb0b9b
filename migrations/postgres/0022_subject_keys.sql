-- The keys that seal what belongs to one merchant, or to one customer of a merchant. Each rests sealed by a data key of the
-- installation. What a key has sealed says which one it was; without its key nobody reads it, in no backup either.
create table subject_keys (
    key_id text collate "C" primary key not null,
    merchant_id text collate "C" not null,
    -- Empty: the merchant's own.
    customer_id text collate "C" not null,
    -- Counts the keys of a subject; the highest one seals.
    generation bigint not null,
    -- The sealed key; empty once it was destroyed.
    wrapped bytea not null,
    -- How many changes of all keys had begun when it was made.
    rotation bigint not null,
    created_at bigint not null,
    destroyed_at bigint
);
create unique index subject_keys_subject on subject_keys (merchant_id, customer_id, generation);

-- A data key as the next master key wraps it, while servers are given that one.
alter table wrapped_keys add column next_wrapped bytea;
-- Nothing is left under it, since then.
alter table wrapped_keys add column retired_at bigint;

-- Changes of all data keys, and how far each has come. One at most is under way.
create table key_rotations (
    rotation_id text collate "C" primary key not null,
    is_open boolean not null,
    -- The sealed column that is being looked through, and the key of the last row that was, as a JSON array.
    at_column text not null,
    at_row text not null,
    -- All columns are looked through again until nothing is found under a former key.
    pass bigint not null,
    found_in_pass bigint not null,
    -- Sealed rows at the beginning, once they are counted; those that this pass has looked at; those that were sealed
    -- anew in all passes; those that this pass couldn't open, and the one before it.
    rows_in_all bigint,
    looked_at bigint not null,
    sealed_anew bigint not null,
    unreadable bigint not null,
    unreadable_before bigint not null,
    started_at bigint not null,
    -- Wall time from which what is found under a former key was not sealed by anybody who hadn't heard of the new one.
    settled_at bigint not null,
    finished_at bigint,
    -- Wall time until which one server is at it; 0 when none is.
    lease_until bigint not null,
    -- Counts the claims.
    fence bigint not null
);
create unique index key_rotations_one_open on key_rotations (is_open) where is_open;
