import type { Subscription, SubscriptionStatus } from 'multirail';
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

/** Returns the plan of a subscription: to pause, to end, or none. What has happened already is no plan. */
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
