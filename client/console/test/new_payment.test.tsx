import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { refused, type Server, signedIn } from './server.ts';

const ADDRESS = 'https://pay.example/payment_link/demo/pay_1/visit_7Qs2Wd';
const MADE = {
    payment_id: 'pay_1',
    profile_id: 'pro_1',
    status: 'requires_payment_method',
    amount: 6540,
    currency: 'EUR',
    payment_link: { link: ADDRESS, secure_link: null, payment_link_id: 'plink_1' },
    created: '2026-02-01T10:00:00.000Z',
    expires_on: '2026-02-02T10:00:00.000Z',
};

async function opens(): Promise<HTMLElement> {
    open('/payments');
    await userEvent.click(await screen.findByRole('button', { name: 'New payment' }));
    return screen.findByRole('dialog');
}

const sent = (server: Server): unknown[] => server.to('POST', '/user/payments').map(({ body }) => body);

describe('a new payment', () => {
    it('says its consequence, is made by keyboard, and shows its link', async () => {
        const server = signedIn().on('POST', '/user/payments', () => ({ body: MADE }));
        let dialog = await opens();
        await userEvent.keyboard('65,40');
        expect(within(dialog).getByText(/anyone who has its address can pay 65\.40.EUR for one day\. Nothing is charged until a payer pays there/)).toBeTruthy();
        await userEvent.type(within(dialog).getByLabelText('Description'), ' Two books ');
        await userEvent.type(within(dialog).getByLabelText('Order reference'), 'order-1');
        await userEvent.type(within(dialog).getByLabelText('Customer id'), 'cus_ada');
        await userEvent.selectOptions(within(dialog).getByLabelText('The payer can pay for'), '7 days');
        await userEvent.selectOptions(within(dialog).getByLabelText('Capture'), 'Later, by hand');
        await userEvent.type(within(dialog).getByLabelText('Customer id'), '{Enter}');
        dialog = await screen.findByRole('dialog', { name: /^Link to pay 65\.40/ });
        expect(within(dialog).getByText(ADDRESS)).toBeTruthy();
        expect(within(dialog).getByRole('button', { name: `Copy: ${ADDRESS}` })).toBeTruthy();
        expect(sent(server)).toEqual([{ amount: 6540, currency: 'EUR', description: 'Two books', merchant_order_reference_id: 'order-1', customer_id: 'cus_ada', capture_method: 'manual', session_expiry: 604800 }]);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
        await waitFor(() => expect(window.location.pathname).toBe('/console/payments/pay_1'));
    });

    it('counts in the decimals of its currency', async () => {
        const server = signedIn().on('POST', '/user/payments', () => ({ body: { ...MADE, amount: 500, currency: 'JPY' } }));
        const dialog = await opens();
        await userEvent.selectOptions(within(dialog).getByLabelText('Currency'), 'JPY');
        const amount = within(dialog).getByLabelText('Amount in JPY');
        await userEvent.type(amount, '5.5');
        expect(amount.getAttribute('aria-invalid')).toBe('true');
        await userEvent.clear(amount);
        await userEvent.type(amount, '500{Enter}');
        await screen.findByRole('dialog', { name: /^Link to pay 500.JPY/ });
        expect(sent(server)).toEqual([{ amount: 500, currency: 'JPY', session_expiry: 86400 }]);
    });

    it('keeps its key while the outcome is unknown', async () => {
        let isUp = false;
        const server = signedIn().on('POST', '/user/payments', () => (isUp ? { body: MADE } : refused(500, 'HE_00', 'failed')));
        const dialog = await opens();
        await userEvent.keyboard('65.40{Enter}');
        expect(await within(dialog).findByText('The outcome is unknown')).toBeTruthy();
        isUp = true;
        await userEvent.click(within(dialog).getByRole('button', { name: /^Create a link for 65\.40/ }));
        await screen.findByRole('dialog', { name: /^Link to pay/ });
        const keys = server.to('POST', '/user/payments').map(({ headers }) => headers.get('idempotency-key'));
        expect(keys.length).toBeGreaterThan(1);
        expect(new Set(keys).size).toBe(1);
        expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    });

    it('shows the server’s refusal at the member that it names', async () => {
        signedIn().on('POST', '/user/payments', () => refused(422, 'IR_05', 'customer_id is longer than 64 characters'));
        const dialog = await opens();
        await userEvent.keyboard('65.40{Enter}');
        expect(await within(dialog).findByText('customer_id is longer than 64 characters')).toBeTruthy();
        expect(within(dialog).getByLabelText('Customer id').getAttribute('aria-invalid')).toBe('true');
    });

    it('is not sent without an amount', async () => {
        const server = signedIn();
        const dialog = await opens();
        await userEvent.keyboard('{Enter}');
        expect(within(dialog).getByLabelText('Amount in EUR').getAttribute('aria-invalid')).toBe('true');
        expect(sent(server)).toEqual([]);
    });

    it('is not offered to a role that may not make one', async () => {
        signedIn({ role_id: 'merchant_developer' });
        open('/payments');
        await screen.findByText(/65\.40/);
        expect(screen.queryByRole('button', { name: 'New payment' })).toBeNull();
    });

    it('has a dialog in which axe finds nothing', async () => {
        signedIn();
        expect(await brokenRules(await opens())).toEqual([]);
    });
});
