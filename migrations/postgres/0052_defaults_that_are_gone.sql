-- A method could become its customer's default while somebody else deleted it. What isn't there is nobody's default.
update customers set default_payment_method_id = null
    where default_payment_method_id is not null and not exists (
        select 1 from payment_methods m
        where m.merchant_id = customers.merchant_id and m.payment_method_id = customers.default_payment_method_id
    );
