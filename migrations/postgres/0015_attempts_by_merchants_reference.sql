-- In place of attempts_by_reference, which SQLite passed by while it had not counted rows: it read all attempts of the
-- merchant. This one holds all that a notice's reference is looked up by, and what is wanted of the row.
create index attempts_by_merchants_reference on attempts (merchant_id, connector_transaction_id, payment_id)
    where connector_transaction_id is not null;
drop index attempts_by_reference;
