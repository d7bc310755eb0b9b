// The words that the document doesn't spell out: resources, cursors, and lists without pages.

/** The beginnings of operation ids. The longest that fits is the resource; the rest of the id is the method. */
export const RESOURCES = [
    'payments',
    'refunds',
    'customers',
    'payment_methods',
    'customer_payment_methods',
    'payer_payment_methods',
    'account_payment_methods',
    'mandates',
    'customer_mandates',
    'ephemeral_keys',
    'disputes',
    'subscriptions',
    'subscription_products',
    'subscription_items',
    'subscription_item_prices',
    'subscription_coupons',
    'subscription',
    'routing',
    'dynamic_routing',
    'events',
    'connector_accounts',
    'business_profiles',
    'merchant_accounts',
    'organizations',
    'organization_accounts',
    'api_keys',
    'gsm',
    'notices',
    'unresolved_operations',
    'users',
    'user_sessions',
    'two_factor',
    'oidc',
    'audit',
    'keys',
    'sandbox',
    'health',
];

/** Lists by cursor: the parameter for the next page, for the page before it, and the member of an item that it takes. */
export const CURSORS = {
    payments_list: { after: 'starting_after', before: 'ending_before', key: 'payment_id' },
    audit_list: { after: 'before', key: 'sequence' },
};

/** Operations with a limit whose answer is one page: the saved methods of one customer, and portions of the audit log. */
export const UNPAGED = [
    'payer_payment_methods_list',
    'customer_payment_methods_list',
    'account_payment_methods_list',
    'audit_export',
    'audit_verify',
];
