-- Who paid, sealed with the key of the customer or of the merchant; the record says it in redacted words then. Null where
-- nothing tells of the payer, and where the record still tells it itself.
alter table payments add column personal blob;
