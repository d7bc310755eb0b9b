-- The id that an outside billing engine has for an invoice: it is taken over once, whoever hears of it how often.
alter table invoices add column engine_invoice_id text;
create unique index invoices_by_engine on invoices (merchant_id, subscription_id, engine_invoice_id)
    where engine_invoice_id is not null;
