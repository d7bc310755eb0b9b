import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { PAYMENT, refused, type Server, signedIn } from './server.ts';

const AUTHORIZED = { ...PAYMENT, status: 'requires_capture', capture_method: 'manual', amount_received: 0, amount_capturable: 6540, incremental_authorization_allowed: true };
const HELD = { ...PAYMENT, status: 'requires_merchant_action', amount_received: 0, amount_capturable: 0 };
const CAPTURE = '/user/payments/pay_1/capture';

function server(payment: object, user: { role_id?: string } = {}): Server {
    return signedIn(user).on('GET', '/user/payments/pay_1', () => ({ body: payment }));
}

async function opens(button: string): Promise<HTMLElement> {
    open('/payments/pay_1');
    await userEvent.click(await screen.findByRole('button', { name: button }));
    return screen.findByRole('dialog');
}

const buttons = (): string[] => within(screen.getByRole('main')).queryAllByRole('button').map((one) => one.textContent ?? '');

describe('the buttons of a payment', () => {
    it('are those of its state and the role', async () => {
        server(AUTHORIZED);
        open('/payments/pay_1');
        await screen.findByRole('button', { name: 'Capture' });
        expect(buttons().filter((one) => /^(Capture|Raise|Approve|Reject|Cancel)/.test(one))).toEqual(['Capture', 'Raise the amount', 'Cancel payment']);
    });

    it('are missing for a role that only reads', async () => {
        server(AUTHORIZED, { role_id: 'merchant_view_only' });
        open('/payments/pay_1');
        await screen.findByRole('heading', { level: 1, name: /65\.40/ });
        expect(buttons().filter((one) => /^(Capture|Raise|Approve|Reject|Cancel)/.test(one))).toEqual([]);
    });

    it('are missing for another profile’s payment, which doesn’t exist there', async () => {
        signedIn().on('GET', '/user/payments/pay_1', () => refused(404, 'HE_02', 'There is no such payment.'));
        open('/payments/pay_1');
        await screen.findByText('Not found');
        expect(screen.queryByRole('button', { name: 'Capture' })).toBeNull();
    });
});

describe('a capture', () => {
    it('says its consequence with the rest, then goes out once however often its button is pressed', async () => {
        let release = (): void => {};
        const gate = new Promise<void>((resolve) => (release = resolve));
        const sent = server(AUTHORIZED).on('POST', CAPTURE, async () => {
            await gate;
            return { body: { ...AUTHORIZED, status: 'partially_captured', amount_received: 4000 } };
        });
        const dialog = await opens('Capture');
        expect(within(dialog).getByText(/^65\.40.EUR is charged to the Visa card ending in 4242.*can’t be undone.*Nothing is left/)).toBeTruthy();
        const amount = within(dialog).getByLabelText('Amount in EUR');
        await userEvent.clear(amount);
        await userEvent.type(amount, '40,00');
        expect(within(dialog).getByText(/The remaining 25\.40.EUR is released/)).toBeTruthy();
        const button = within(dialog).getByRole('button', { name: /^Capture 40\.00/ });
        await userEvent.dblClick(button);
        await userEvent.keyboard('{Enter}{Enter}');
        release();
        expect(await screen.findByText('The amount was captured.')).toBeTruthy();
        expect(sent.to('POST', CAPTURE).map(({ body }) => body)).toEqual([{ amount_to_capture: 4000 }]);
        expect(screen.queryByRole('dialog')).toBeNull();
    });

    it('keeps what is left where several captures are possible', async () => {
        server({ ...AUTHORIZED, capture_method: 'manual_multiple' });
        const dialog = await opens('Capture');
        const amount = within(dialog).getByLabelText('Amount in EUR');
        await userEvent.clear(amount);
        await userEvent.type(amount, '40');
        expect(within(dialog).getByText(/The remaining 25\.40.EUR stays reserved, and can still be captured/)).toBeTruthy();
    });

    it('asks for the authorized amount where the processor allows more, and says how much more one takes', async () => {
        const sent = server({ ...AUTHORIZED, is_overcapture_enabled: true, amount_capturable: 7521 }).on('POST', CAPTURE, () => ({ body: { ...AUTHORIZED, status: 'succeeded', amount_received: 7000 } }));
        const dialog = await opens('Capture');
        expect(within(dialog).getByText(/^65\.40.EUR is authorized\. The processor allows up to 75\.21.EUR/)).toBeTruthy();
        expect(within(dialog).getByText(/Nothing is left/)).toBeTruthy();
        const amount = within(dialog).getByLabelText('Amount in EUR');
        expect(amount).toHaveProperty('value', '65.40');
        await userEvent.clear(amount);
        await userEvent.type(amount, '60');
        expect(within(dialog).getByText(/The remaining 5\.40.EUR is released/)).toBeTruthy();
        await userEvent.clear(amount);
        await userEvent.type(amount, '75.22');
        expect(amount.getAttribute('aria-invalid')).toBe('true');
        await userEvent.clear(amount);
        await userEvent.type(amount, '70');
        expect(within(dialog).getByText(/That is 4\.60.EUR more than was authorized/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: /^Capture 70/ }));
        expect(await screen.findByText('The amount was captured.')).toBeTruthy();
        expect(sent.to('POST', CAPTURE).map(({ body }) => body)).toEqual([{ amount_to_capture: 7000 }]);
    });

    it('has no amount to begin with where only the limit of an overcapture is known', async () => {
        server({ ...AUTHORIZED, status: 'partially_authorized_and_requires_capture', is_overcapture_enabled: true, amount_capturable: 4600 });
        const dialog = await opens('Capture');
        const amount = within(dialog).getByLabelText('Amount in EUR');
        expect(amount).toHaveProperty('value', '');
        expect(amount.getAttribute('aria-invalid')).toBeNull();
        await userEvent.type(amount, '46');
        expect(within(dialog).getByText(/A rest of the authorization is released/)).toBeTruthy();
    });

    it('keeps its key while the outcome is unknown, even in a new dialog', async () => {
        let isUp = false;
        const sent = server(AUTHORIZED).on('POST', CAPTURE, () => (isUp ? { body: { ...AUTHORIZED, status: 'succeeded', amount_received: 6540 } } : refused(500, 'HE_00', 'failed')));
        const dialog = await opens('Capture');
        await userEvent.click(within(dialog).getByRole('button', { name: /^Capture 65/ }));
        expect(await within(dialog).findByText('The outcome is unknown')).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Go back' }));
        isUp = true;
        await userEvent.click(await screen.findByRole('button', { name: 'Capture' }));
        await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Capture 65/ }));
        expect(await screen.findByText('The amount was captured.')).toBeTruthy();
        const keys = sent.to('POST', CAPTURE).map(({ headers }) => headers.get('idempotency-key'));
        expect(keys.length).toBeGreaterThan(1);
        expect(new Set(keys).size).toBe(1);
        expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    });

    it('shows the server’s refusal at the member that it names', async () => {
        server(AUTHORIZED).on('POST', CAPTURE, () => refused(422, 'IR_06', 'amount_to_capture is above amount_capturable'));
        const dialog = await opens('Capture');
        const amount = within(dialog).getByLabelText('Amount in EUR');
        await userEvent.click(within(dialog).getByRole('button', { name: /^Capture 65/ }));
        expect(await within(dialog).findByText('amount_to_capture is above amount_capturable')).toBeTruthy();
        expect(amount.getAttribute('aria-invalid')).toBe('true');
    });

    it('is not sent with an amount that is no amount or too much', async () => {
        const sent = server(AUTHORIZED);
        const dialog = await opens('Capture');
        const amount = within(dialog).getByLabelText('Amount in EUR');
        for (const text of ['0', '65.41', '1.000', 'x']) {
            await userEvent.clear(amount);
            await userEvent.type(amount, `${text}{Enter}`);
            expect(amount.getAttribute('aria-invalid'), text).toBe('true');
        }
        expect(sent.to('POST', CAPTURE)).toEqual([]);
    });

    it('is pending although somebody else captured a part since the screen was read', async () => {
        const several = { ...AUTHORIZED, capture_method: 'manual_multiple', status: 'partially_captured_and_capturable' };
        server(several).on('POST', CAPTURE, () => ({
            body: { ...several, amount_received: 1000, captures: [{ amount: 1000, status: 'charged' }, { amount: 4000, status: 'pending' }] },
        }));
        const dialog = await opens('Capture');
        const amount = within(dialog).getByLabelText('Amount in EUR');
        await userEvent.clear(amount);
        await userEvent.type(amount, '40{Enter}');
        expect(await screen.findByText(/The capture is pending/)).toBeTruthy();
    });

    it('that the processor refused says that no money moved', async () => {
        server(AUTHORIZED).on('POST', CAPTURE, () => ({ body: { ...AUTHORIZED, error_code: 'CE_01', error_message: 'Card is closed' } }));
        const dialog = await opens('Capture');
        await userEvent.click(within(dialog).getByRole('button', { name: /^Capture 65/ }));
        expect(await screen.findByText(/The processor refused the capture, and no money moved\..*Card is closed/)).toBeTruthy();
    });
});

describe('the other actions', () => {
    it('cancel with a reason, after saying what is released', async () => {
        const path = '/user/payments/pay_1/cancel';
        const sent = server(AUTHORIZED).on('POST', path, () => ({ body: { ...AUTHORIZED, status: 'cancelled' } }));
        const dialog = await opens('Cancel payment');
        expect(within(dialog).getByText(/The 65\.40.EUR reserved on the Visa card ending in 4242 is released.*can’t be undone/)).toBeTruthy();
        await userEvent.type(within(dialog).getByLabelText('Reason'), 'sold out{Enter}');
        expect(await screen.findByText('The payment was cancelled.')).toBeTruthy();
        expect(sent.to('POST', path)[0]?.body).toEqual({ cancellation_reason: 'sold out' });
    });

    it('raise and cancel the authorized amount where the processor allows a capture of more', async () => {
        const path = '/user/payments/pay_1/incremental_authorization';
        const sent = server({ ...AUTHORIZED, is_overcapture_enabled: true, amount_capturable: 7521 }).on('POST', path, () => ({ body: { ...AUTHORIZED, incremental_authorizations: [{ status: 'success' }] } }));
        let dialog = await opens('Cancel payment');
        expect(within(dialog).getByText(/The 65\.40.EUR reserved on/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Go back' }));
        await userEvent.click(await screen.findByRole('button', { name: 'Raise the amount' }));
        dialog = await screen.findByRole('dialog');
        expect(within(dialog).getByText(/^65\.40.EUR is authorized now/)).toBeTruthy();
        await userEvent.type(within(dialog).getByLabelText('New total in EUR'), '70{Enter}');
        expect(await screen.findByText('The authorized amount was raised.')).toBeTruthy();
        expect(sent.to('POST', path).map(({ body }) => body)).toEqual([{ amount: 7000 }]);
    });

    it('are decided beside the reason for which the processor holds the payment', async () => {
        server({ ...HELD, net_amount: 7000, frm_message: { frm_name: 'fauxpay', frm_reason: { code: 'risk', message: 'The card was used in two countries' } } });
        open('/payments/pay_1');
        await screen.findByText('The processor holds this payment until you approve or reject it.');
        expect(screen.getByText('risk: The card was used in two countries')).toBeTruthy();
        expect(screen.getByText('Total with extras').nextElementSibling?.textContent).toMatch(/^70\.00.EUR$/);
    });

    it('decide about all that the payer pays, with shipping and taxes', async () => {
        server({ ...HELD, net_amount: 7000, shipping_cost: 460 });
        let dialog = await opens('Approve');
        expect(within(dialog).getByText(/70\.00.EUR is charged/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Go back' }));
        await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));
        dialog = await screen.findByRole('dialog');
        expect(within(dialog).getByText(/the 70\.00.EUR reserved on/)).toBeTruthy();
    });

    it('cancel with the amount that is due while the payer authenticates', async () => {
        server({ ...PAYMENT, status: 'requires_customer_action', amount_received: 0, amount_capturable: 0 });
        const dialog = await opens('Cancel payment');
        expect(within(dialog).getByText(/can’t pay the 65\.40.EUR any more/)).toBeTruthy();
    });

    it('raise to a new total, which is above the authorized one', async () => {
        const path = '/user/payments/pay_1/incremental_authorization';
        const sent = server(AUTHORIZED).on('POST', path, () => ({ body: { ...AUTHORIZED, incremental_authorizations: [{ status: 'failure', error_code: 'CE_01', error_message: 'No more' }] } }));
        const dialog = await opens('Raise the amount');
        const amount = within(dialog).getByLabelText('New total in EUR');
        await userEvent.type(amount, '65.40{Enter}');
        expect(amount.getAttribute('aria-invalid')).toBe('true');
        await userEvent.clear(amount);
        await userEvent.type(amount, '90');
        expect(within(dialog).getByText(/reserve 90\.00.EUR instead of 65\.40.EUR.*isn’t charged before the capture/)).toBeTruthy();
        await userEvent.keyboard('{Enter}');
        expect(await screen.findByText(/The processor refused the raise\..*No more/)).toBeTruthy();
        expect(sent.to('POST', path).map(({ body }) => body)).toEqual([{ amount: 9000 }]);
    });

    it('approve or reject what is held', async () => {
        const [approve, reject] = ['/user/payments/pay_1/approve', '/user/payments/pay_1/reject'];
        const sent = server(HELD).on('POST', approve, () => ({ body: { ...HELD, status: 'processing' } })).on('POST', reject, () => ({ body: { ...HELD, status: 'failed', error_code: 'merchant_rejected' } }));
        let dialog = await opens('Approve');
        expect(within(dialog).getByText(/65\.40.EUR is charged to the Visa card ending in 4242 at once/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Approve' }));
        expect(await screen.findByText(/Its capture is pending/)).toBeTruthy();
        await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));
        dialog = await screen.findByRole('dialog');
        expect(within(dialog).getByText(/The payment fails at once.*can’t be undone/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Reject' }));
        expect(await screen.findByText('The payment was rejected.')).toBeTruthy();
        expect([sent.to('POST', approve).length, sent.to('POST', reject).length]).toEqual([1, 1]);
    });

    it('have dialogs in which axe finds nothing', async () => {
        server(AUTHORIZED);
        open('/payments/pay_1');
        for (const name of ['Capture', 'Raise the amount', 'Cancel payment']) {
            await userEvent.click(await screen.findByRole('button', { name }));
            expect(await brokenRules(await screen.findByRole('dialog')), name).toEqual([]);
            await userEvent.keyboard('{Escape}');
            await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        }
    });
});
