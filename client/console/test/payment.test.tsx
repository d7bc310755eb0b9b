import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { PAYMENT, REFUND, refused, type Server, signedIn } from './server.ts';

async function openPayment(): Promise<void> {
    open('/payments/pay_1');
    await screen.findByRole('heading', { level: 1, name: /65\.40/ });
}

async function openRefund(): Promise<HTMLElement> {
    await openPayment();
    await userEvent.click(await screen.findByRole('button', { name: 'Refund' }));
    return screen.findByRole('dialog');
}

const keysOf = (server: Server): (string | null)[] => server.to('POST', '/refunds').map(({ headers }) => headers.get('idempotency-key'));

describe('a payment', () => {
    it('shows hostile texts as texts', async () => {
        signedIn();
        await openPayment();
        const evil = await screen.findByText(/onerror/);
        expect(evil.tagName).toBe('BDI');
        expect(screen.getByText('<script>alert(1)</script>').tagName).toBe('BDI');
        expect(document.querySelector('img, #console script')).toBeNull();
    });

    it('offers no refund to a role that may not make one', async () => {
        signedIn({ role_id: 'merchant_view_only' });
        await openPayment();
        await screen.findByText(/Payment of 65\.40/);
        await waitFor(() => expect(document.querySelector('.spinner')).toBeNull());
        expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
    });

    it('tells its changes from one call of the request log, and older ones when a person asks for them', async () => {
        const entry = (n: number, operation: string): object => ({ request_id: `req_${n}`, requested_at: `2026-02-01T09:00:00.${String(999 - n)}Z`, operation, caller: 'api_key', status: 200 });
        const lists = Array.from({ length: 100 }, (_, n) => entry(n, n === 1 ? 'payments_capture' : 'refunds_list'));
        const server = signedIn().on('GET', '/request_log', ({ path }) => ({ body: path.includes('before=req_99') ? [entry(100, 'payments_create')] : lists }));
        await openPayment();
        await screen.findByText('Request payments_capture');
        expect(screen.queryByText(/refunds_list/)).toBeNull();
        expect(server.to('GET', '/request_log').map(({ path }) => path)).toEqual(['/request_log?payment_id=pay_1&method=POST&limit=100']);
        await userEvent.click(screen.getByRole('button', { name: 'Look for older changes' }));
        await screen.findByText('Request payments_create');
        expect(screen.queryByRole('button', { name: 'Look for older changes' })).toBeNull();
    });

    it('tells why each attempt went where it went', async () => {
        const account = (connector: string, more: object = {}): object => ({ connector, merchant_connector_id: `mca_${connector}`, ...more });
        const attempts = [
            {
                attempt_id: 'pay_1_1',
                status: 'failure',
                created_at: '2026-02-01T10:00:01.000Z',
                connector: 'stripe_test',
                error_code: 'card_declined',
                error_message: '<b>No</b>',
                routing: { routed_by: 'configuration', rule: 'Large <i>orders</i>', candidates: [account('stripe_test'), account('adyen_test', { dropped_because: 'disabled' }), account('fauxpay', { moved_because: 'elimination' })] },
            },
            { attempt_id: 'pay_1_2', status: 'charged', created_at: '2026-02-01T10:00:02.000Z', connector: 'fauxpay', error_code: null, routing: null },
        ];
        const server = signedIn().on('GET', '/user/payments/pay_1', () => ({ body: { ...PAYMENT, attempts } }));
        await openPayment();
        const first = (await screen.findByText(/Attempt at stripe_test/)).closest('li') as HTMLElement;
        expect(first.textContent).toContain('Declined');
        expect(first.textContent).toContain('The active configuration decided. Rule: Large <i>orders</i>');
        expect([...first.querySelectorAll('li')].map((one) => one.textContent)).toEqual(['adyen_test mca_adyen_test: disabled', 'fauxpay mca_fauxpay: tried last']);
        expect(first.textContent).toContain('card_declined: <b>No</b>');
        const second = screen.getByText(/Attempt at fauxpay/).closest('li') as HTMLElement;
        expect(second.textContent).toContain('Charged');
        expect(second.textContent).not.toContain('decided');
        expect(server.to('GET', '/user/payments/pay_1')[0]?.path).toBe('/user/payments/pay_1?expand_routing=true');
    });

    it('tells which entries could not be loaded', async () => {
        signedIn().on('GET', '/disputes/list', () => refused(403, 'IR_22', 'no'));
        await openPayment();
        expect(await screen.findByText(/Some entries could not be loaded/)).toBeTruthy();
    });
});

describe('a refund', () => {
    it('says its consequence, then goes out once however often its button is pressed', async () => {
        let release = (): void => {};
        const gate = new Promise<void>((resolve) => (release = resolve));
        const server = signedIn().on('POST', '/refunds', async () => {
            await gate;
            return { body: REFUND };
        });
        const dialog = await openRefund();
        expect(within(dialog).getByText(/goes back to the Visa card ending in 4242\. A refund can’t be taken back/)).toBeTruthy();
        const button = within(dialog).getByRole('button', { name: /^Refund 65\.40/ });
        await userEvent.dblClick(button);
        await userEvent.keyboard('{Enter}{Enter}');
        release();
        expect(await screen.findByText(/65\.40.EUR was refunded\./)).toBeTruthy();
        expect(server.to('POST', '/refunds')).toHaveLength(1);
        expect(server.to('POST', '/refunds')[0]?.body).toEqual({ payment_id: 'pay_1', amount: 6540 });
        expect(screen.queryByRole('dialog')).toBeNull();
    });

    it('keeps its key while the outcome is unknown, even in a new dialog', async () => {
        let isUp = false;
        const server = signedIn().on('POST', '/refunds', () => (isUp ? { body: REFUND } : refused(500, 'HE_00', 'failed')));
        const dialog = await openRefund();
        await userEvent.click(within(dialog).getByRole('button', { name: /^Refund 65/ }));
        expect(await within(dialog).findByText('The outcome is unknown')).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Go back' }));
        isUp = true;
        await userEvent.click(await screen.findByRole('button', { name: 'Refund' }));
        await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Refund 65/ }));
        expect(await screen.findByText(/was refunded\./)).toBeTruthy();
        const keys = keysOf(server);
        expect(keys.length).toBeGreaterThan(1);
        expect(new Set(keys).size).toBe(1);
        expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    });

    it('shows the server’s refusal at the member that it names', async () => {
        signedIn().on('POST', '/refunds', () => refused(400, 'IR_13', 'The refund is more than is left.'));
        const dialog = await openRefund();
        const amount = within(dialog).getByLabelText('Amount in EUR');
        await userEvent.clear(amount);
        await userEvent.type(amount, '12,00');
        await userEvent.click(within(dialog).getByRole('button', { name: /^Refund 12\.00/ }));
        expect(await within(dialog).findByText('The refund is more than is left.')).toBeTruthy();
        expect(amount.getAttribute('aria-invalid')).toBe('true');
    });

    it('is not sent with an amount that is no amount or too much', async () => {
        const server = signedIn();
        const dialog = await openRefund();
        const amount = within(dialog).getByLabelText('Amount in EUR');
        for (const text of ['0', '65.41', '1.000', 'x']) {
            await userEvent.clear(amount);
            await userEvent.type(amount, `${text}{Enter}`);
            expect(amount.getAttribute('aria-invalid'), text).toBe('true');
        }
        expect(server.to('POST', '/refunds')).toEqual([]);
    });

    it('that a processor declined says that no money moved', async () => {
        signedIn().on('POST', '/refunds', () => ({ body: { ...REFUND, status: 'failed', error_message: 'Card is closed' } }));
        const dialog = await openRefund();
        await userEvent.click(within(dialog).getByRole('button', { name: /^Refund 65/ }));
        expect(await screen.findByText('The refund failed, and no money moved. Card is closed')).toBeTruthy();
    });

    it('has a dialog in which axe finds nothing', async () => {
        signedIn();
        const dialog = await openRefund();
        expect(await brokenRules(dialog)).toEqual([]);
    });
});
