import type { SubscriptionStatus } from 'multirail';
import { describe, expect, it } from 'vitest';
import { may, type Operation } from '../src/api/roles.ts';
import { type Actable, actionsOf, invoiceActionsOf, isCreditRefundable, planOf, withdraws } from '../src/subscriptions/actions.ts';
import { en } from '../src/texts/en.ts';

const all = (): boolean => true;
const LATER = '2026-03-01T00:00:00.000Z';
const state = (status: string, more: Partial<Actable> = {}): Actable => ({ status: status as SubscriptionStatus, ...more });

describe('the actions on a subscription', () => {
    it('are those that the contract allows in its state', () => {
        const table = Object.keys(en.words.subscription).map((status) => `${status}: ${actionsOf(state(status), all).join(' ')}`);
        expect(table).toMatchInlineSnapshot(`
          [
            "created: cancel",
            "pending: cancel",
            "trial: change pause cancel",
            "active: change pause cancel",
            "paused: resume cancel",
            "unpaid: cancel",
            "onetime: ",
            "in_active: ",
            "cancelled: ",
            "failed: ",
          ]
        `);
        expect(actionsOf(state('waits_for_moon'), all)).toEqual([]);
    });

    it('are those that the role allows', () => {
        const of = (role: string): readonly string[] => actionsOf(state('active'), (operation: Operation) => may(role as never, operation));
        expect(['org_admin', 'merchant_admin', 'merchant_operator'].map(of)).toEqual(Array(3).fill(['change', 'pause', 'cancel']));
        expect(['merchant_developer', 'merchant_view_only', 'ruler_of_the_moon'].map(of)).toEqual([[], [], []]);
    });

    it('withdraw a planned pause or end, but no ended subscription', () => {
        expect(actionsOf(state('active', { cancelled_at: LATER }), all)).toEqual(['change', 'resume', 'pause', 'cancel']);
        expect(actionsOf(state('trial', { paused_at: LATER }), all)).toContain('resume');
        expect(actionsOf(state('cancelled', { cancelled_at: LATER }), all)).toEqual([]);
        expect(actionsOf(state('failed', { cancelled_at: LATER }), all)).toEqual([]);
    });
});

describe('the plan of a subscription', () => {
    it('is what has not happened yet', () => {
        expect(planOf(state('active', { paused_at: LATER, cancelled_at: LATER }))).toEqual({ pausesAt: LATER, endsAt: LATER });
        expect(planOf(state('paused', { paused_at: LATER }))).toEqual({});
        expect(planOf(state('cancelled', { cancelled_at: LATER }))).toEqual({});
    });

    it('is withdrawn outside of a pause, where a resumption begins a period', () => {
        expect(withdraws(state('active', { cancelled_at: LATER }))).toBe(true);
        expect(withdraws(state('active'))).toBe(false);
        expect(withdraws(state('paused', { paused_at: LATER, cancelled_at: LATER }))).toBe(false);
    });
});

describe('the actions on an invoice', () => {
    it('are those of an open one without a payment in progress', () => {
        const active = state('active');
        const open = Object.keys(en.words.invoice).filter((status) => invoiceActionsOf({ status: status as never }, active, all).length > 0);
        expect(open).toEqual(['invoice_created', 'payment_pending_timeout', 'payment_failed', 'payment_canceled', 'manual_review']);
        expect(invoiceActionsOf({ status: 'payment_failed' }, state('cancelled'), all)).toEqual(['collect', 'void']);
        for (const status of ['created', 'pending', 'failed']) expect(invoiceActionsOf({ status: 'invoice_created' }, state(status), all)).toEqual([]);
        expect(invoiceActionsOf({ status: 'payment_failed' }, active, () => false)).toEqual([]);
    });

    it('refund credit only after the end', () => {
        const credit = (status: string, amount: number): boolean => isCreditRefundable({ status: status as SubscriptionStatus, credit_amount: amount }, all);
        expect([credit('cancelled', 250), credit('in_active', 250), credit('active', 250), credit('cancelled', 0)]).toEqual([true, true, false, false]);
        expect(isCreditRefundable({ status: 'cancelled', credit_amount: 250 }, () => false)).toBe(false);
    });
});
