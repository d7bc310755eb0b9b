-- After which moment a mandate can't be charged: null of one without an end.
alter table mandates add column ends_at bigint;
-- The payment that a token is confirmed with. Null until then.
alter table payment_tokens add column payment_id text;
