-- A subscription that somebody may be confirming keeps its customer and its merchant account, as those do that go on.
alter table subscriptions add column is_begun boolean not null default false;
-- What nobody has confirmed gives its coupon back, when its client secret lapses.
update subscriptions set due_at = created_at + 900000000
    where status = 'created' and due_at is null and record like '%"coupon":{%';
