import { act, screen } from '@testing-library/react';
import type { Payment } from 'multirail';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Followed, rereadAfter } from '../src/payments/follow.ts';
import { en } from '../src/texts/en.ts';
import { open } from './page.tsx';
import { PAYMENT, signedIn } from './server.ts';

const NOW = Date.parse('2026-02-01T10:00:00Z');
const payment = (status: string, more: object = {}): Followed => ({ ...PAYMENT, expires_on: '2026-02-01T10:15:00Z', captures: null, incremental_authorizations: null, status, ...more }) as unknown as Payment;
const after = (status: string, more: object = {}): number | false => rereadAfter(payment(status, more), NOW);

describe('a payment is read again', () => {
    it('as long as a processor or a payer moves it on', () => {
        const table = Object.keys(en.words.payment).map((status) => `${status}: ${after(status)}`);
        expect(table).toMatchInlineSnapshot(`
          [
            "requires_payment_method: 15000",
            "requires_confirmation: 15000",
            "requires_customer_action: 15000",
            "requires_merchant_action: false",
            "processing: 5000",
            "requires_capture: false",
            "partially_authorized_and_requires_capture: false",
            "partially_captured_and_capturable: false",
            "partially_captured_and_processing: 5000",
            "succeeded: false",
            "partially_captured: false",
            "failed: false",
            "cancelled: false",
            "cancelled_post_capture: false",
            "conflicted: false",
            "expired: false",
          ]
        `);
        expect(after('waits_for_moon')).toBe(false);
    });

    it('while a capture, a raise or a void is open, and before a scheduled capture', () => {
        expect([
            after('partially_captured_and_capturable', { captures: [{ status: 'charged' }, { status: 'pending' }] }),
            after('partially_captured_and_capturable', { captures: [{ status: 'charged' }, { status: 'failed' }] }),
            after('requires_capture', { incremental_authorizations: [{ status: 'unresolved' }] }),
            after('requires_capture', { incremental_authorizations: [{ status: 'success' }] }),
            after('requires_capture', { capture_method: 'scheduled' }),
            after('succeeded', { state_metadata: { post_capture_void: { status: 'pending' } } }),
        ]).toEqual([5000, false, 5000, false, 15000, 5000]);
    });

    it('until no payer can begin any more', () => {
        expect(rereadAfter(payment('requires_payment_method'), Date.parse('2026-02-01T10:15:00Z'))).toBe(false);
        expect(rereadAfter(payment('requires_customer_action'), Date.parse('2026-02-02T10:15:00Z'))).toBe(15000);
    });
});

describe('the screen of a payment', () => {
    afterEach(() => {
        vi.useRealTimers();
    });

    it('shows that the payer has paid, with the news, although no stream told so', async () => {
        vi.useFakeTimers({ shouldAdvanceTime: true });
        let isPaid = false;
        const event = { event_id: 'evt_1', merchant_id: 'demo', object_id: 'pay_1', event_type: 'payment_succeeded', event_class: 'payments', is_delivery_successful: true, created: '2026-02-01T10:00:05.000Z' };
        signedIn()
            .on('GET', '/user/payments/pay_1', () => ({ body: isPaid ? { ...PAYMENT, modified_at: '2026-02-01T10:00:05.000Z' } : { ...PAYMENT, status: 'requires_customer_action', amount_received: 0 } }))
            .on('POST', '/events/demo', () => ({ body: isPaid ? { total_count: 1, events: [event] } : { total_count: 0, events: [] } }));
        open('/payments/pay_1');
        await screen.findByText('Waits for the payer');
        isPaid = true;
        await act(() => vi.advanceTimersByTimeAsync(20_000));
        expect(await screen.findByText('Succeeded')).toBeTruthy();
        expect(await screen.findByText('Payment succeeded')).toBeTruthy();
    });
});
