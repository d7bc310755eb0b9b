import type { Dispute, Event, Payment, Refund, RequestLogEntry } from 'multirail';
import { describe, expect, it } from 'vitest';
import { refundable, storyOf } from '../src/screens/story.ts';
import { rateOf, volumesOf } from '../src/screens/volume.ts';
import { PAYMENT, REFUND } from './server.ts';

const payment = PAYMENT as unknown as Payment;
const refund = (change: Partial<Refund>): Refund => ({ ...REFUND, ...change }) as Refund;

describe('the story of a payment', () => {
    it('is newest first', () => {
        const story = storyOf({
            payment,
            refunds: [refund({})],
            disputes: [{ created_at: '2026-02-03T00:00:00Z', dispute_status: 'dispute_opened', challenge_required_by: '2026-02-10T00:00:00Z' } as Dispute],
            events: [{ created: '2026-02-01T10:00:02.000Z', event_type: 'payment_succeeded' } as Event],
            requests: [
                { requested_at: '2026-02-01T09:59:59.000Z', method: 'POST' } as RequestLogEntry,
            ],
        });
        expect(story.map(({ kind }) => kind)).toEqual(['deadline', 'dispute', 'refund', 'event', 'created', 'request']);
    });

    it('tells a failure once', () => {
        const failed = { ...payment, status: 'failed' } as Payment;
        expect(storyOf({ payment: failed }).map(({ kind }) => kind)).toEqual(['failed', 'created']);
        const events = [{ created: '2026-02-01T10:00:02.000Z', event_type: 'payment_failed' } as Event];
        expect(storyOf({ payment: failed, events }).map(({ kind }) => kind)).toEqual(['event', 'created']);
    });
});

describe('the attempts of a payment', () => {
    it('stand in its story, and tell its failure', () => {
        const attempts = [{ attempt_id: 'pay_1_1', created_at: '2026-02-01T10:00:01.000Z', status: 'failure' }, { attempt_id: 'pay_1_2', created_at: '2026-02-01T10:00:02.000Z', status: 'failure' }];
        const failed = { ...payment, status: 'failed', attempts } as unknown as Payment;
        const story = storyOf({ payment: failed });
        expect(story.map((one) => (one.kind === 'attempt' ? one.attempt.attempt_id : one.kind))).toEqual(['pay_1_2', 'pay_1_1', 'created']);
    });
});

describe('the refundable amount', () => {
    it('is captured money less refunds that have not failed and less lost disputes', () => {
        expect(refundable(payment, [])).toBe(6540);
        expect(refundable(payment, [refund({ amount: 1000 }), refund({ amount: 500, status: 'pending' }), refund({ amount: 5000, status: 'failed' })])).toBe(5040);
        expect(refundable(payment, [refund({ amount: 6540, returns_excess: true })])).toBe(6540);
        expect(refundable({ ...payment, state_metadata: { total_refunded_amount: 0, total_disputed_amount: 6540, post_capture_void: null } }, [])).toBe(0);
        expect(refundable({ ...payment, status: 'requires_capture' }, [])).toBe(0);
    });
});

describe('sums', () => {
    it('never mix currencies, and are exact', () => {
        const paid = [
            { amount_received: 999_999_999, currency: 'USD' },
            { amount_received: 1, currency: 'USD' },
            { amount_received: 5, currency: 'JPY' },
            { amount_received: null, currency: 'EUR' },
        ] as const;
        expect(volumesOf(paid)).toEqual([
            { currency: 'USD', captured: 1_000_000_000n, payments: 2 },
            { currency: 'JPY', captured: 5n, payments: 1 },
        ]);
    });

    it('give no rate without a decision', () => {
        expect(rateOf(0, 0)).toBeUndefined();
        expect(rateOf(3, 1)).toBe(75);
    });
});
