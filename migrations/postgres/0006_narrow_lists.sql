-- Lists of payments are filtered, counted and paged in the index alone: a payment's row is wide, and most of those that
-- are looked at don't fit or are on another page. Holds the columns that are narrow.
create index payments_listed on payments (merchant_id, created_at, payment_id, profile_id, status, amount, currency,
    connector, payment_method, payment_method_type, authentication_type, card_network);
