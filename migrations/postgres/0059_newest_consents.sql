-- The payer's newest consent. A column of its own, because a payment by token can't change the sealed particulars. Null where the
-- consent among the particulars is the newest.
alter table payment_methods add column consent_sealed bytea;
