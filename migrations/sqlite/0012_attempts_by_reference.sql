-- A notice may name an authorization as the processor does. On its own: on PostgreSQL an index takes its time.
create index attempts_by_reference on attempts (connector_transaction_id) where connector_transaction_id is not null;
