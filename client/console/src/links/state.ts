import type { Payment, PaymentStatus } from 'multirail';

/** The state of a payment's page: whether its payer can still pay there, and how it went. */
export type LinkState = 'open' | 'busy' | 'paid' | 'declined' | 'ended' | 'closed';

/** The state of the page of a payment that is not late. */
export const STATES: Readonly<Record<PaymentStatus, LinkState>> = {
    requires_payment_method: 'open',
    requires_confirmation: 'open',
    requires_customer_action: 'busy',
    requires_merchant_action: 'busy',
    processing: 'busy',
    requires_capture: 'paid',
    partially_authorized_and_requires_capture: 'paid',
    partially_captured_and_capturable: 'paid',
    partially_captured_and_processing: 'paid',
    succeeded: 'paid',
    partially_captured: 'paid',
    failed: 'declined',
    cancelled: 'closed',
    cancelled_post_capture: 'closed',
    conflicted: 'busy',
    expired: 'closed',
};

/** The members of a payment that decide the state of its page. */
export type Linked = Pick<Payment, 'payment_link' | 'status' | 'expires_on'>;

/** Returns the state of a payment's page at a moment, or undefined if the payment has no page. */
export function linkState({ payment_link, status, expires_on }: Linked, now: Date): LinkState | undefined {
    if (!payment_link) return undefined;
    const state = Object.hasOwn(STATES, status) ? STATES[status] : 'busy';
    const isLate = expires_on ? new Date(expires_on) < now : false;
    return isLate && isUsable(state) ? 'ended' : state;
}

/** Returns whether the payer may still have a use for the address. After a decline, the page may take another method. */
export function isUsable(state: LinkState | undefined): boolean {
    return state === 'open' || state === 'declined';
}
