-- Who asks a processor about a payment, beside sync_at, when it is asked about next. Older servers go by sync_at alone,
-- which a claim puts off too.
alter table payments
    -- Wall time until which somebody is at it; 0 when nobody is.
    add column sync_lease_until bigint not null default 0,
    -- Counts the claims: whoever holds an older one has lost the payment.
    add column sync_fence bigint not null default 0;
