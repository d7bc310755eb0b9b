-- Filters of the list of payments that users have saved, each for one merchant account.
create table saved_views (
    user_id text collate "C" not null,
    merchant_id text collate "C" not null,
    saved_view_id text collate "C" not null,
    name text not null,
    query text not null,
    created_at bigint not null,
    primary key (user_id, merchant_id, saved_view_id)
);
create unique index saved_views_by_name on saved_views (user_id, merchant_id, name);
