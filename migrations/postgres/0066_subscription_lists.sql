-- A user lists the subscriptions of every profile of an account, and those of one customer, the newest first.
create index subscriptions_of_account on subscriptions (merchant_id, created_at, subscription_id);
create index subscriptions_of_customer on subscriptions (merchant_id, customer_id, created_at, subscription_id);
