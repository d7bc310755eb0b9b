import type { Dispute, Event, Payment, PaymentAttempt, Refund, RequestLogEntry } from 'multirail';

/** One entry of a payment's story. */
export type Happening =
    | { kind: 'created'; at: string }
    | { kind: 'failed'; at: string }
    | { kind: 'attempt'; at: string; attempt: PaymentAttempt }
    | { kind: 'refund'; at: string; refund: Refund }
    | { kind: 'dispute'; at: string; dispute: Dispute }
    | { kind: 'deadline'; at: string; dispute: Dispute }
    | { kind: 'event'; at: string; event: Event }
    | { kind: 'request'; at: string; request: RequestLogEntry };

/** The operations whose requests belong to a payment's story. Requests that only read would hide them. */
const OF_STORY: readonly string[] = [
    'payments_create',
    'payments_update',
    'payments_confirm',
    'payments_complete_authorize',
    'payments_incremental_authorization',
    'payments_capture',
    'payments_cancel',
    'payments_cancel_post_capture',
    'payments_approve',
    'payments_reject',
    'refunds_create',
    'user_payments_create',
    'user_payments_incremental_authorization',
    'user_payments_capture',
    'user_payments_cancel',
    'user_payments_approve',
    'user_payments_reject',
];

/** Returns whether a request belongs to a payment's story. */
export const isOfStory = ({ operation }: Pick<RequestLogEntry, 'operation'>): boolean => OF_STORY.includes(operation);

/** What is stored about a payment, as far as it could be read. */
export interface Sources {
    payment: Payment;
    refunds?: readonly Refund[] | undefined;
    disputes?: readonly Dispute[] | undefined;
    events?: readonly Event[] | undefined;
    requests?: readonly RequestLogEntry[] | undefined;
}

/** Returns the story of a payment, newest first. */
export function storyOf({ payment, refunds = [], disputes = [], events = [], requests = [] }: Sources): Happening[] {
    const attempts = payment.attempts ?? [];
    const all: Happening[] = [
        ...attempts.map((attempt): Happening => ({ kind: 'attempt', at: attempt.created_at, attempt })),
        ...refunds.map((refund): Happening => ({ kind: 'refund', at: refund.created_at ?? '', refund })),
        ...disputes.flatMap((dispute): Happening[] => [
            { kind: 'dispute', at: dispute.created_at, dispute },
            ...(dispute.dispute_status === 'dispute_opened' && dispute.challenge_required_by ? [{ kind: 'deadline' as const, at: dispute.challenge_required_by, dispute }] : []),
        ]),
        ...events.map((event): Happening => ({ kind: 'event', at: event.created, event })),
        ...requests.map((request): Happening => ({ kind: 'request', at: request.requested_at, request })),
    ];
    if (payment.created) all.push({ kind: 'created', at: payment.created });
    const isKnown = attempts.length > 0 || events.some((event) => event.event_type === 'payment_failed');
    if (payment.status === 'failed' && payment.modified_at && !isKnown) all.push({ kind: 'failed', at: payment.modified_at });
    return all.filter(({ at }) => at !== '').sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** Returns the amount that can still be refunded: captured money less refunds that have not failed and less lost disputes. */
export function refundable(payment: Payment, refunds: readonly Refund[]): number {
    if (payment.status !== 'succeeded' && payment.status !== 'partially_captured') return 0;
    const ofCaptured = refunds.filter((refund) => refund.status !== 'failed' && !refund.returns_excess);
    const returned = ofCaptured.reduce((sum, refund) => sum + refund.amount, 0);
    return Math.max(0, (payment.amount_received ?? 0) - returned - (payment.state_metadata?.total_disputed_amount ?? 0));
}
