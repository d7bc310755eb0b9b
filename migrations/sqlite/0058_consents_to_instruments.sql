-- When the payer consented to the instrument. Instruments become known in any order, and that of an earlier consent replaces none.
-- Null in rows of older servers.
alter table connector_mandates add column consented_at bigint;
