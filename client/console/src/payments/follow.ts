import type { Payment, PaymentStatus } from 'multirail';

/** The milliseconds until the next read of a payment about which its processor decides. */
const SOON = 5_000;
/** The milliseconds until the next read of a payment that waits for its payer, or for the day of its capture. */
const LATER = 15_000;

/** The members of a payment that tell whether it changes without a person of the merchant. */
export type Followed = Pick<Payment, 'status' | 'capture_method' | 'captures' | 'incremental_authorizations' | 'expires_on' | 'state_metadata'>;

/**
 * Returns the milliseconds after which a payment is read again, or false if only people of the merchant move it on. The stream
 * announces most changes, but it can be broken, and no event announces a raise.
 */
export function rereadAfter(payment: Followed, now: number): number | false {
    return Object.hasOwn(PACES, payment.status) ? PACES[payment.status](payment, now) : false;
}

type Pace = (payment: Followed, now: number) => number | false;

const never: Pace = () => false;
const soon: Pace = () => SOON;

/** A payer can begin until the client secret expires. */
const payer: Pace = ({ expires_on: end }, now) => (end !== null && Date.parse(end) <= now ? false : LATER);

/** Money is reserved. Open captures and raises are the processor's, and a scheduled capture is the server's. */
const reserved: Pace = ({ captures, incremental_authorizations: raises, capture_method: method }) => {
    const isOpen = (captures ?? []).some(({ status }) => status === 'started' || status === 'pending') || (raises ?? []).some(({ status }) => status === 'processing' || status === 'unresolved');
    if (isOpen) return SOON;
    return method === 'scheduled' ? LATER : false;
};

/** A captured payment may be voided, which takes the processor some time. */
const captured: Pace = ({ state_metadata: state }) => (state?.post_capture_void?.status === 'pending' ? SOON : false);

const PACES: Readonly<Record<PaymentStatus, Pace>> = {
    requires_payment_method: payer,
    requires_confirmation: payer,
    // A payer who is at the processor comes back, however late.
    requires_customer_action: () => LATER,
    requires_merchant_action: never,
    processing: soon,
    requires_capture: reserved,
    partially_authorized_and_requires_capture: reserved,
    partially_captured_and_capturable: reserved,
    partially_captured_and_processing: soon,
    succeeded: captured,
    partially_captured: captured,
    failed: never,
    cancelled: never,
    cancelled_post_capture: never,
    conflicted: never,
    expired: never,
};
