-- The payment by which the payer agreed to be charged without being there.
alter table payment_methods add column agreed_by text;
-- The scheme's reference of the newest payment that saved it.
alter table payment_methods add column network_transaction_id text;
-- Its payer agrees to be charged without being there.
alter table cards_to_save add column is_agreed boolean not null default false;
