-- In the order of the commits and without a key: nothing looks for one of them here, and one that is filed between others
-- costs several pages of every commit.
create table change_sets_by_row (
    change_set_id text not null,
    merchant_id text,
    actor text not null,
    request_id text,
    committed_at bigint not null
);
insert into change_sets_by_row (change_set_id, merchant_id, actor, request_id, committed_at)
    select change_set_id, merchant_id, actor, request_id, committed_at from change_sets order by change_set_id;
drop table change_sets;
alter table change_sets_by_row rename to change_sets;
