import type { Invoice, InvoiceStatus, Subscription, SubscriptionStatus } from 'multirail';
import type { Operation } from '../api/roles.ts';

/** An action on one subscription, in the order in which screens offer it. */
export const ACTIONS = ['change', 'resume', 'pause', 'cancel'] as const;

export type SubscriptionAction = (typeof ACTIONS)[number];

/** The operation of each action, which decides who may take it. */
export const OPERATIONS = {
    change: 'user_subscriptions_update',
    resume: 'user_subscriptions_resume',
    pause: 'user_subscriptions_pause',
    cancel: 'user_subscriptions_cancel',
} as const satisfies Readonly<Record<SubscriptionAction, Operation>>;

/** The actions that the contract allows in each status. */
const ALLOWED: Readonly<Record<SubscriptionStatus, readonly SubscriptionAction[]>> = {
    created: ['cancel'],
    pending: ['cancel'],
    trial: ['change', 'pause', 'cancel'],
    active: ['change', 'pause', 'cancel'],
    paused: ['resume', 'cancel'],
    unpaid: ['cancel'],
    onetime: [],
    in_active: [],
    cancelled: [],
    failed: [],
};

/** The members of a subscription that decide its actions. */
export type Actable = Pick<Subscription, 'status' | 'paused_at' | 'cancelled_at'>;

/** Returns the plan of a subscription: to pause, to end, or none. A pause or an end in the past is no plan. */
export function planOf({ status, paused_at: paused, cancelled_at: cancelled }: Actable): { pausesAt?: string; endsAt?: string } {
    return {
        ...(paused && status !== 'paused' ? { pausesAt: paused } : {}),
        ...(cancelled && status !== 'cancelled' ? { endsAt: cancelled } : {}),
    };
}

/** Returns whether a resumption withdraws a plan. In a pause it begins a new period instead. */
export function withdraws(subscription: Actable): boolean {
    const { pausesAt, endsAt } = planOf(subscription);
    return subscription.status !== 'paused' && (pausesAt !== undefined || endsAt !== undefined);
}

/** Returns the actions that the state of a subscription and the role allow. The server decides; this keeps refused ones off the screen. */
export function actionsOf(subscription: Actable, may: (operation: Operation) => boolean): readonly SubscriptionAction[] {
    const { status } = subscription;
    const allowed = Object.hasOwn(ALLOWED, status) ? ALLOWED[status] : [];
    const isAllowed = (action: SubscriptionAction): boolean => allowed.includes(action) || (action === 'resume' && allowed.length > 0 && withdraws(subscription));
    return ACTIONS.filter((action) => isAllowed(action) && may(OPERATIONS[action]));
}

/** An action on an open invoice. */
export type InvoiceAction = 'collect' | 'void';

/** The statuses of invoices that are open without a payment in progress. */
const OPEN: readonly InvoiceStatus[] = ['invoice_created', 'payment_failed', 'payment_canceled', 'payment_pending_timeout', 'manual_review'];

/** Returns the actions on an invoice. While a subscription waits for its first payment, it can only be cancelled. */
export function invoiceActionsOf(invoice: Pick<Invoice, 'status'>, { status }: Pick<Subscription, 'status'>, may: (operation: Operation) => boolean): readonly InvoiceAction[] {
    if (!OPEN.includes(invoice.status) || status === 'created' || status === 'pending' || status === 'failed') return [];
    return (['collect', 'void'] as const).filter((action) => may(`user_subscriptions_${action}_invoice`));
}

/** Returns whether the credit of a subscription can be refunded. Before its end, later invoices use it. */
export function isCreditRefundable({ status, credit_amount: credit = 0 }: Pick<Subscription, 'status' | 'credit_amount'>, may: (operation: Operation) => boolean): boolean {
    return (status === 'cancelled' || status === 'in_active') && credit > 0 && may('user_subscriptions_refund_credit');
}
