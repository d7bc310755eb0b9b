-- Tokens of a method that is deleted are no longer deleted with it: they stand for nothing, and go when they lapse.
drop index payment_tokens_by_method;
