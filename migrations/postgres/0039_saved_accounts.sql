-- A saved method may be a bank account, which refers to no card: card_fingerprint may be null. What is said of the account rests
-- sealed among the particulars.
alter table payment_methods alter column card_fingerprint drop not null;
