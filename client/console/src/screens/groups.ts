import type { PaymentStatus } from 'multirail';

/** The groups of payment states by which people look for payments. */
export const GROUPS = {
    succeeded: ['succeeded', 'partially_captured'],
    uncaptured: ['requires_capture', 'partially_authorized_and_requires_capture', 'partially_captured_and_capturable'],
    action: ['requires_payment_method', 'requires_confirmation', 'requires_customer_action', 'requires_merchant_action', 'processing', 'partially_captured_and_processing', 'conflicted'],
    failed: ['failed', 'expired'],
    cancelled: ['cancelled', 'cancelled_post_capture'],
} as const satisfies Readonly<Record<string, readonly PaymentStatus[]>>;

export type Group = keyof typeof GROUPS;

/** The states of payments that a processor approved. */
export const APPROVED: readonly PaymentStatus[] = [...GROUPS.succeeded, ...GROUPS.uncaptured, 'partially_captured_and_processing', 'cancelled_post_capture'];
/** The states of payments that ended without an approval. */
export const DECLINED: readonly PaymentStatus[] = GROUPS.failed;

/** Returns the group of a name in an address. */
export function groupOf(name: string): Group | undefined {
    return Object.hasOwn(GROUPS, name) ? (name as Group) : undefined;
}

/** The currencies offered by filters: those of most merchants first. Others are found without this filter. */
export const CURRENCIES = [
    'EUR', 'USD', 'GBP', 'CHF', 'AED', 'AUD', 'BHD', 'BRL', 'CAD', 'CLP', 'CNY', 'CZK', 'DKK', 'HKD', 'HUF', 'ILS', 'INR', 'JOD', 'JPY', 'KRW',
    'KWD', 'MXN', 'MYR', 'NOK', 'NZD', 'OMR', 'PHP', 'PLN', 'RON', 'SAR', 'SEK', 'SGD', 'THB', 'TND', 'TRY', 'TWD', 'UAH', 'VND', 'ZAR',
] as const;
