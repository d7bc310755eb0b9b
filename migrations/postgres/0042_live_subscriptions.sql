-- Subscriptions that go on: they keep their customer and their merchant account from being deleted.
create index subscriptions_live on subscriptions (merchant_id, customer_id)
    where status in ('active', 'paused', 'pending', 'trial', 'unpaid');
