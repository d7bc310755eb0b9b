import type { LinkState } from '../links/state.ts';
import type { Tone } from './text.tsx';

const PAYMENT: Readonly<Record<string, Tone>> = {
    succeeded: 'good',
    partially_captured: 'good',
    requires_capture: 'info',
    partially_authorized_and_requires_capture: 'info',
    partially_captured_and_capturable: 'info',
    partially_captured_and_processing: 'info',
    processing: 'info',
    requires_customer_action: 'warn',
    requires_merchant_action: 'warn',
    conflicted: 'warn',
    failed: 'bad',
    expired: 'bad',
};
const ATTEMPT: Readonly<Record<string, Tone>> = {
    charged: 'good',
    authorized: 'good',
    partially_authorized: 'good',
    partial_charged: 'good',
    partial_charged_and_chargeable: 'good',
    auto_refunded: 'good',
    authorizing: 'info',
    capture_initiated: 'info',
    void_initiated: 'info',
    pending: 'info',
    authentication_pending: 'warn',
    device_data_collection_pending: 'warn',
    unresolved: 'warn',
    authentication_failed: 'bad',
    authorization_failed: 'bad',
    capture_failed: 'bad',
    void_failed: 'bad',
    router_declined: 'bad',
    failure: 'bad',
    integrity_failure: 'bad',
    expired: 'bad',
};
const REFUND: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', pending: 'info', review: 'warn' };
const DISPUTE: Readonly<Record<string, Tone>> = {
    dispute_opened: 'warn',
    dispute_challenged: 'info',
    dispute_won: 'good',
    dispute_cancelled: 'good',
    dispute_lost: 'bad',
};
const SUBSCRIPTION: Readonly<Record<string, Tone>> = { active: 'good', trial: 'good', onetime: 'good', created: 'info', pending: 'info', paused: 'warn', unpaid: 'bad', failed: 'bad' };
const INVOICE: Readonly<Record<string, Tone>> = { invoice_paid: 'good', payment_succeeded: 'good', invoice_created: 'info', payment_pending: 'info', payment_failed: 'bad', payment_pending_timeout: 'warn', manual_review: 'warn' };
const LINK: Readonly<Record<LinkState, Tone>> = { open: 'info', busy: 'warn', paid: 'good', declined: 'bad', ended: 'calm', closed: 'calm' };

/** Returns the tone of a payment's status. Words that this console doesn't know are calm. */
export const paymentTone = (status: string): Tone => PAYMENT[status] ?? 'calm';
export const attemptTone = (status: string): Tone => ATTEMPT[status] ?? 'calm';
export const refundTone = (status: string): Tone => REFUND[status] ?? 'calm';
export const disputeTone = (status: string): Tone => DISPUTE[status] ?? 'calm';
export const subscriptionTone = (status: string): Tone => SUBSCRIPTION[status] ?? 'calm';
export const invoiceTone = (status: string): Tone => INVOICE[status] ?? 'calm';
export const linkTone = (state: LinkState): Tone => LINK[state];
/** Returns the tone of an event's delivery. */
export const deliveryTone = (isDelivered: boolean | null): Tone => (isDelivered === null ? 'calm' : isDelivered ? 'good' : 'bad');
/** Returns the tone of an HTTP status. */
export const answerTone = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad');
