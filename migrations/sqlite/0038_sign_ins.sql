-- When a sign-in was last used, to within ten minutes, and from where it was made: sealed with the key of the merchant account
-- that its user acts in. Null in rows of before.
alter table user_sessions add column last_used_at bigint;
alter table user_sessions add column client blob;
