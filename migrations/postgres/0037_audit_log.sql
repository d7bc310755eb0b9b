-- The audit log. What the commit of a change leaves: who changed what, when and from where. stamp is a keyed hash over the
-- rest, in hexadecimal digits; whoever chains it deletes it here, in the commit that appends it to audit_log.
create table audit_inbox (
    request_id text collate "C" not null primary key,
    recorded_at bigint not null,
    operation text not null,
    principal text not null,
    principal_id text,
    merchant_id text,
    -- What the path named, and what was changed: lists of {name, id} as JSON.
    target text not null,
    objects text not null,
    ip text not null,
    stamp text not null
);
create index audit_inbox_by_time on audit_inbox (recorded_at, request_id);

-- The chain: link is a keyed hash over the link before, the number and the stamp.
create table audit_log (
    sequence bigint not null primary key,
    request_id text not null,
    recorded_at bigint not null,
    operation text not null,
    principal text not null,
    principal_id text,
    merchant_id text,
    target text not null,
    objects text not null,
    ip text not null,
    stamp text not null,
    link text not null
);
create index audit_log_by_merchant on audit_log (merchant_id, sequence);
create index audit_log_by_request on audit_log (request_id);

-- How many entries the chain has, and its last link, stamped. One row.
create table audit_head (
    chain bigint not null primary key,
    entries bigint not null,
    link text not null,
    stamp text not null,
    constraint audit_head_is_one check (chain = 1)
);

create function audit_log_stands() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is appended to, and nothing else';
end
$$;

create trigger audit_log_is_not_changed before update or delete on audit_log
    for each row execute function audit_log_stands();

create trigger audit_log_is_not_emptied before truncate on audit_log
    for each statement execute function audit_log_stands();

create trigger audit_inbox_is_not_changed before update on audit_inbox
    for each row execute function audit_log_stands();

create trigger audit_inbox_is_not_emptied before truncate on audit_inbox
    for each statement execute function audit_log_stands();

create function audit_inbox_keeps() returns trigger language plpgsql as $$
begin
    if not exists (select 1 from audit_log where audit_log.request_id = old.request_id and audit_log.stamp = old.stamp) then
        raise exception 'this entry of the audit log is not chained yet';
    end if;
    return old;
end
$$;

create trigger audit_inbox_is_kept_until_chained before delete on audit_inbox
    for each row execute function audit_inbox_keeps();
