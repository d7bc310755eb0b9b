import type { CaptureMethod, Payment, PaymentStatus } from 'multirail';
import type { Operation } from '../api/roles.ts';

/** An action on one payment, in the order in which screens offer it. */
export const ACTIONS = ['capture', 'raise', 'approve', 'reject', 'cancel'] as const;

export type PaymentAction = (typeof ACTIONS)[number];

/** The operation of each action, which decides who may take it. */
export const OPERATIONS = {
    capture: 'user_payments_capture',
    raise: 'user_payments_incremental_authorization',
    approve: 'user_payments_approve',
    reject: 'user_payments_reject',
    cancel: 'user_payments_cancel',
} as const satisfies Readonly<Record<PaymentAction, Operation>>;

/** The actions that the contract allows in each status, before the other members are looked at. */
const ALLOWED: Readonly<Record<PaymentStatus, readonly PaymentAction[]>> = {
    requires_payment_method: ['cancel'],
    requires_confirmation: ['cancel'],
    requires_customer_action: ['cancel'],
    requires_merchant_action: ['approve', 'reject'],
    // Several captures may overlap.
    processing: ['capture'],
    requires_capture: ['capture', 'raise', 'cancel'],
    partially_authorized_and_requires_capture: ['capture'],
    partially_captured_and_capturable: ['capture'],
    partially_captured_and_processing: [],
    succeeded: [],
    partially_captured: [],
    failed: [],
    cancelled: [],
    cancelled_post_capture: [],
    conflicted: [],
    expired: [],
};

/** The members of a payment that decide its actions. */
export type Actable = Pick<Payment, 'status' | 'amount_capturable' | 'capture_method' | 'captures' | 'incremental_authorization_allowed' | 'incremental_authorizations' | 'merchant_decision'>;

/** Returns the actions that the state of a payment and the role allow. The server decides; this keeps refused ones off the screen. */
export function actionsOf(payment: Actable, may: (operation: Operation) => boolean): readonly PaymentAction[] {
    const allowed = Object.hasOwn(ALLOWED, payment.status) ? ALLOWED[payment.status] : [];
    return ACTIONS.filter((action) => allowed.includes(action) && may(OPERATIONS[action]) && fits(payment, action));
}

function fits(payment: Actable, action: PaymentAction): boolean {
    switch (action) {
        case 'capture':
            return (payment.amount_capturable ?? 0) > 0 && (payment.status !== 'processing' || capturesAgain(payment));
        case 'raise':
            return payment.incremental_authorization_allowed === true && !(payment.incremental_authorizations ?? []).some(({ status }) => status === 'processing' || status === 'unresolved');
        case 'approve':
        case 'reject':
            return !payment.merchant_decision;
        case 'cancel':
            return true;
    }
}

/** Returns whether a payment that waits for a capture takes another one. Others that are processing wait for their authorization. */
function capturesAgain(payment: Actable): boolean {
    return keepsRest(payment.capture_method) && (payment.captures?.length ?? 0) > 0;
}

/** Returns whether the rest can still be captured after a part. Otherwise it is released. */
export function keepsRest(method: CaptureMethod | null | undefined): boolean {
    return method === 'manual_multiple';
}

/** The members of a payment that tell how much is reserved. */
export type Reserved = Pick<Payment, 'status' | 'net_amount' | 'amount_capturable' | 'capture_method' | 'is_overcapture_enabled'>;

/**
 * Returns the amount that is reserved and not captured. `amount_capturable` is more where the processor granted an overcapture.
 * Undefined if the payment tells only that limit: less than asked was authorized.
 */
export function reservedOf({ status, net_amount: total, amount_capturable: most, capture_method: method, is_overcapture_enabled: isMore }: Reserved): number | undefined {
    // Several captures together never take more than the authorized amount.
    if (!isMore || keepsRest(method)) return most;
    return status === 'partially_authorized_and_requires_capture' ? undefined : Math.min(total, most);
}

/** Returns whether an approval also takes the money. */
export function takesAtOnce(method: CaptureMethod | null | undefined): boolean {
    return method === 'automatic' || method === 'sequential_automatic' || !method;
}

/** Returns whether a cancel releases money that a processor has reserved. */
export function isReserved({ status }: Pick<Payment, 'status'>): boolean {
    return status === 'requires_capture';
}

/** The result of an action, as its answer tells it: an answer of 200 doesn't mean that the processor agreed. */
export type Outcome = 'done' | 'pending' | 'refused';

/** The members of an answer that tell how an action went. */
export type Answered = Pick<Payment, 'status' | 'amount_received' | 'error_code' | 'captures' | 'incremental_authorizations'>;

/**
 * Returns how an action went, from its answer alone. The payment that the screen showed before may be old: somebody else may have
 * captured a part since.
 */
export function outcomeOf(action: PaymentAction, after: Answered, amount = 0): Outcome {
    switch (action) {
        case 'capture':
            return captureOutcome(after, amount);
        case 'raise': {
            const status = after.incremental_authorizations?.at(-1)?.status;
            if (status === 'success') return 'done';
            return status === 'failure' ? 'refused' : 'pending';
        }
        case 'approve':
            if (after.status === 'processing') return 'pending';
            return after.error_code ? 'refused' : 'done';
        case 'reject':
            // It fails at once, while the server still asks the processor to release the money.
            return after.status === 'failed' ? 'done' : 'refused';
        case 'cancel':
            if (after.status === 'cancelled') return 'done';
            return after.status === 'processing' ? 'pending' : 'refused';
    }
}

function captureOutcome({ captures, amount_received: received, error_code: code }: Answered, amount: number): Outcome {
    if (captures) {
        // Another capture may have begun since, so the newest one of this amount is meant.
        const status = captures.findLast((one) => one.amount === amount)?.status;
        if (status === 'charged') return 'done';
        return status === 'failed' ? 'refused' : 'pending';
    }
    // Payments without such records are captured once.
    if ((received ?? 0) > 0) return 'done';
    return code ? 'refused' : 'pending';
}
