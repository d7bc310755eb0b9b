import type { Payment, PaymentStatus } from 'multirail';
import { describe, expect, it } from 'vitest';
import { may, type Operation } from '../src/api/roles.ts';
import { type Actable, actionsOf, keepsRest, outcomeOf, takesAtOnce } from '../src/payments/actions.ts';
import { en } from '../src/texts/en.ts';

const all = (): boolean => true;
const state = (status: PaymentStatus, more: Partial<Actable> = {}): Actable => ({ status, amount_capturable: 6540, capture_method: 'manual', ...more }) as Actable;

describe('the actions on a payment', () => {
    it('are those that the contract allows in its state', () => {
        const raisable = { incremental_authorization_allowed: true };
        const table = Object.keys(en.words.payment).map((status) => `${status}: ${actionsOf(state(status as PaymentStatus, raisable), all).join(' ')}`);
        expect(table).toMatchInlineSnapshot(`
          [
            "requires_payment_method: cancel",
            "requires_confirmation: cancel",
            "requires_customer_action: cancel",
            "requires_merchant_action: approve reject",
            "processing: ",
            "requires_capture: capture raise cancel",
            "partially_authorized_and_requires_capture: capture",
            "partially_captured_and_capturable: capture",
            "partially_captured_and_processing: ",
            "succeeded: ",
            "partially_captured: ",
            "failed: ",
            "cancelled: ",
            "cancelled_post_capture: ",
            "conflicted: ",
            "expired: ",
          ]
        `);
        expect(actionsOf(state('waits_for_moon' as PaymentStatus), all)).toEqual([]);
    });

    it('are those that the role allows', () => {
        const of = (role: Parameters<typeof may>[0]): readonly string[] => actionsOf(state('requires_capture'), (operation: Operation) => may(role, operation));
        expect(['org_admin', 'merchant_admin', 'merchant_operator'].map((role) => of(role as never))).toEqual(Array(3).fill(['capture', 'cancel']));
        expect(['merchant_developer', 'merchant_view_only', 'ruler_of_the_moon'].map((role) => of(role as never))).toEqual([[], [], []]);
    });

    it('have no capture of nothing, and one beside another only where captures may overlap', () => {
        expect(actionsOf(state('requires_capture', { amount_capturable: 0 }), all)).toEqual(['cancel']);
        const captures = [{ status: 'pending' }] as unknown as Actable['captures'];
        expect(actionsOf(state('processing', { capture_method: 'manual_multiple', captures: captures! }), all)).toEqual(['capture']);
        expect(actionsOf(state('processing', { capture_method: 'manual_multiple' }), all)).toEqual([]);
        expect(actionsOf(state('processing', { capture_method: 'manual', captures: captures! }), all)).toEqual([]);
    });

    it('have no raise beside an open one, and no second decision', () => {
        const raised = (status: string): Partial<Actable> => ({ incremental_authorization_allowed: true, incremental_authorizations: [{ status }] as never });
        expect(['success', 'failure', 'processing', 'unresolved'].map((status) => actionsOf(state('requires_capture', raised(status)), all).includes('raise'))).toEqual([true, true, false, false]);
        expect(actionsOf(state('requires_merchant_action', { merchant_decision: 'approved' }), all)).toEqual([]);
    });
});

describe('what follows from a capture method', () => {
    it('is whether the rest stays, and whether an approval takes the money', () => {
        const methods = ['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic', null] as const;
        expect(methods.map(keepsRest)).toEqual([false, false, true, false, false, false]);
        expect(methods.map(takesAtOnce)).toEqual([true, false, false, false, true, true]);
    });
});

describe('the outcome of an action', () => {
    const after = (status: PaymentStatus, more: Partial<Payment> = {}): Payment => ({ status, amount_received: 0, error_code: null, captures: null, ...more }) as Payment;
    const captured = (...captures: [amount: number, status: string][]): Payment =>
        after('partially_captured_and_capturable', { amount_received: 1000, captures: captures.map(([amount, status]) => ({ amount, status })) as never });

    it('is read from the answer, because an answer of 200 promises nothing', () => {
        expect([
            outcomeOf('capture', after('partially_captured', { amount_received: 2000 }), 2000),
            outcomeOf('capture', after('processing'), 2000),
            outcomeOf('capture', after('requires_capture', { error_code: 'CE_01' }), 2000),
        ]).toEqual(['done', 'pending', 'refused']);
        const raised = (status: string): Payment => after('requires_capture', { incremental_authorizations: [{ status: 'failure' }, { status }] as never });
        expect(['success', 'failure', 'processing', 'unresolved'].map((status) => outcomeOf('raise', raised(status)))).toEqual(['done', 'refused', 'pending', 'pending']);
        expect([
            outcomeOf('approve', after('succeeded')),
            outcomeOf('approve', after('requires_capture')),
            outcomeOf('approve', after('processing')),
            outcomeOf('approve', after('requires_capture', { error_code: 'CE_01' })),
        ]).toEqual(['done', 'done', 'pending', 'refused']);
        expect([outcomeOf('reject', after('failed', { error_code: 'merchant_rejected' })), outcomeOf('reject', after('conflicted'))]).toEqual(['done', 'refused']);
        expect([outcomeOf('cancel', after('cancelled')), outcomeOf('cancel', after('processing')), outcomeOf('cancel', after('requires_capture', { error_code: 'CE_01' }))]).toEqual(['done', 'pending', 'refused']);
    });

    it('is that of the capture itself, whatever others captured since the screen was read', () => {
        expect(['started', 'pending', 'charged', 'failed'].map((status) => outcomeOf('capture', captured([1000, 'charged'], [2000, status]), 2000))).toEqual(['pending', 'pending', 'done', 'refused']);
        expect(outcomeOf('capture', captured([2000, 'charged'], [1000, 'pending']), 2000)).toBe('done');
        expect(outcomeOf('capture', captured([1000, 'charged'], [1000, 'pending']), 1000)).toBe('pending');
    });
});
