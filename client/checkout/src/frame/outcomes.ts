// What answers and refusals of the server mean for the payer.
import type { Texts } from '../texts/en.ts';
import type { Payment, Refusal } from './api.ts';
import { Failed } from './api.ts';

/** Returns whether the client secret is no longer valid. */
export const hasEnded = (refusal: Refusal): boolean => refusal.code === 'IR_08';

/** Returns the error of a refusal, with a text in the payer's language. */
export function refusalOf(refusal: Refusal, texts: Texts): Failed {
    const { status, code } = refusal;
    if (status === 0 || status >= 500) return new Failed('api_connection_error', 'unreachable', texts.unreachable);
    if (status === 429) return new Failed('rate_limit_error', 'too_many_requests', texts.unreachable);
    if (hasEnded(refusal)) return new Failed('invalid_request_error', 'client_secret_expired', texts.ended);
    if (code === 'IR_09' || status === 404) return new Failed('invalid_request_error', 'client_secret_invalid', texts.otherProfile);
    if (status === 401 || status === 403) return new Failed('invalid_request_error', 'key_invalid', texts.invalidKey);
    return new Failed('invalid_request_error', code || 'refused', texts.refused);
}

/** Returns whether the processor of a card wants data of the payer's device. */
export const asksForDevice = (payment: Payment): boolean => payment.status === 'requires_customer_action' && payment.next_action?.type === 'three_ds_invoke';

/** Returns the whole amount that the payer pays, with its surcharge, in minor units. */
export const totalOf = (payment: Payment): number => payment.net_amount ?? payment.amount;

/** Returns whether a payment has another status or waits for something else, or more of its transfer has arrived. */
export function hasMoved(before: Payment, after: Payment): boolean {
    const arrived = (payment: Payment) => payment.next_action?.bank_transfer_steps_and_charges_details?.receiver?.amount_received ?? 0;
    return before.status !== after.status || before.next_action?.type !== after.next_action?.type || arrived(before) !== arrived(after);
}

/** Returns the browser's data for 3-D Secure. */
export const browserInfo = () => ({
    color_depth: screen.colorDepth,
    java_enabled: false,
    java_script_enabled: true,
    language: navigator.language,
    screen_height: screen.height,
    screen_width: screen.width,
    time_zone: new Date().getTimezoneOffset(),
    user_agent: navigator.userAgent,
});

/** Returns a new key for a request that may be repeated. */
export function newKey(): string {
    const random = crypto.getRandomValues(new Uint8Array(16));
    return [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
