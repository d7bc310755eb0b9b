-- Merchants whose subscriptions are due take turns: the next merchant, and his first one, are found without reading past others'.
create index subscriptions_turns on subscriptions (merchant_id, due_at, subscription_id, lease_until, fence)
    where due_at is not null;
create index subscriptions_begun on subscriptions (merchant_id, customer_id) where is_begun and status = 'created';
