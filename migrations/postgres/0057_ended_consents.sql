-- When the last payment with the payer's consent was confirmed, and when a revocation last ended that consent. Columns of their
-- own, because a revocation can't change the sealed particulars.
alter table payment_methods add column consented_at bigint;
alter table payment_methods add column consent_ended_at bigint;
