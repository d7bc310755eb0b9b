-- A debit saves its bank account, which refers to no card. The account rests sealed among the particulars.
alter table cards_to_save alter column card_fingerprint drop not null;
alter table cards_to_save alter column key_id drop not null;
alter table cards_to_save alter column sealed drop not null;
-- Null of cards.
alter table cards_to_save add column payment_method text;
