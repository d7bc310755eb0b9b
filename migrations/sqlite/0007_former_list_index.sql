-- payments_listed holds what this one did. A step of its own: payments are read while that one is made, and dropping
-- this one, which stops them, takes a moment.
drop index payments_by_creation;
