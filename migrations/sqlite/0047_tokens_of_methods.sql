-- Tokens of a method that is deleted are no longer deleted with it: they stand for nothing, and go when they lapse.
drop index payment_tokens_by_method;
-- When the method was saved that the token was given for: one that is saved again after it was deleted has the same id. Null of tokens of before.
alter table payment_tokens add column method_since bigint;
