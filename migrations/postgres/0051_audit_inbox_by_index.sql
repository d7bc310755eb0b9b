-- request_id is compared in the inbox's collation, "C", otherwise, in which the log has no index: each entry that was taken out of
-- the inbox had the whole log read.
create or replace function audit_inbox_keeps() returns trigger language plpgsql as $$
begin
    if not exists (select 1 from audit_log where audit_log.request_id = old.request_id collate "default"
            and audit_log.stamp = old.stamp) then
        raise exception 'this entry of the audit log is not chained yet';
    end if;
    return old;
end
$$;
