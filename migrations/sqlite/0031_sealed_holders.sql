-- Who holds a saved method, sealed with the key of its customer. What is sealed leaves the column of the same name empty.
alter table payment_methods add column holder_name_sealed blob;
alter table payment_methods add column nick_name_sealed blob;
alter table payment_methods add column particulars_sealed blob;
alter table cards_to_save add column holder_name_sealed blob;
alter table cards_to_save add column nick_name_sealed blob;
alter table cards_to_save add column particulars_sealed blob;
-- Whose payment is disputed; null of guests.
alter table disputes add column customer_id text;
update disputes set customer_id = (select p.customer_id from payments p
    where p.merchant_id = disputes.merchant_id and p.payment_id = disputes.payment_id);
-- The texts of its evidence, sealed with the key of the customer or of the merchant; the record has none then.
alter table disputes add column evidence_sealed blob;
