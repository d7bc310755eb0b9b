-- Of whom an event tells: its body tells of nobody then, and what it takes to tell of him again is sealed with that customer's key.
-- Both are null of what tells of nobody, and of events of before.
alter table events add column customer_id text;
alter table events add column personal blob;
