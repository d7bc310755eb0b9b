-- In place of notices_once, which began with the merchant: lists of a merchant's notices took it, and sorted all of them.
create unique index notices_by_body on notices (body_hash, merchant_connector_id, merchant_id);
drop index notices_once;
-- Lists go by what it holds, and look at a row only to show it.
create index notices_listed on notices (received_at, notice_id, merchant_id, merchant_connector_id, status);
create index notices_leased on notices (lease_until) where lease_until > 0;
drop index notices_by_receipt;
