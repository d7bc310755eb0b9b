/** The classes that group the choice of event types, with the beginnings of their types. Nothing announces payouts. */
export const EVENT_CLASSES: readonly (readonly [name: string, beginnings: readonly string[]])[] = [
    ['payments', ['payment_', 'action_']],
    ['refunds', ['refund_']],
    ['disputes', ['dispute_']],
    ['mandates', ['mandate_']],
    ['subscriptions', ['invoice_']],
];
