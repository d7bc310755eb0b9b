-- Of whom the answer under a key tells: it is sealed with that customer's key. Null of what tells of nobody, and of answers of before.
alter table idempotency_keys add column customer_id text collate "C";
