import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { drawingOf } from '../src/ui/qr.tsx';
import { isUsable, linkState, STATES } from '../src/links/state.ts';
import { requestOf } from '../src/screens/links.tsx';
import { brokenRules, open } from './page.tsx';
import { PAYMENT, refused, type Server, signedIn } from './server.ts';

const ADDRESS = 'https://pay.example/payment_link/demo/pay_open/plt_7Qs2Wd';
const LINK = { link: ADDRESS, secure_link: null, payment_link_id: 'plink_1' };
const OPEN = { ...PAYMENT, payment_id: 'pay_open', status: 'requires_payment_method', connector: null, payment_method: null, payment_method_data: null, expires_on: '2999-01-01T00:00:00.000Z', payment_link: LINK };
const LATE = { ...OPEN, payment_id: 'pay_late', amount: 1200, net_amount: 1200, expires_on: '2026-02-01T09:00:00.000Z' };
const BARE = { ...OPEN, payment_id: 'pay_bare', amount: 300, net_amount: 300, payment_link: null };

function links(data: readonly unknown[] = [OPEN, LATE, BARE]): Server {
    const server = signedIn({ role_id: 'merchant_view_only' }).timedBy(() => Date.parse('2026-02-01T10:00:00Z')).on('POST', '/payments/list', () => ({ body: { count: data.length, total_count: data.length, data } }));
    for (const one of data as readonly { payment_id: string }[]) server.on('GET', `/user/payments/${one.payment_id}`, () => ({ body: one }));
    return server;
}

async function openLink(): Promise<HTMLElement> {
    open('/links');
    await userEvent.click(await screen.findByRole('button', { name: /^Show: 65\.40.EUR, pay_open$/ }));
    return screen.findByRole('dialog', { name: /^Link to pay 65\.40/ });
}

const filters = (query: string): Parameters<typeof requestOf>[0] => {
    const params = new URLSearchParams(query);
    return { get: (name) => params.get(name) ?? '', offset: Number(params.get('offset') ?? 0) };
};

describe('the state of a link', () => {
    const now = new Date('2026-02-01T10:00:00Z');
    const stateOf = (status: string, expires_on: string | null = '2026-02-01T11:00:00Z'): unknown => linkState({ ...OPEN, status, expires_on } as Parameters<typeof linkState>[0], now);

    it('follows from the payment', () => {
        expect(['requires_payment_method', 'requires_customer_action', 'succeeded', 'failed', 'cancelled', 'waits_for_moon'].map((status) => stateOf(status))).toEqual(['open', 'busy', 'paid', 'declined', 'closed', 'busy']);
        expect(linkState({ ...OPEN, payment_link: null } as Parameters<typeof linkState>[0], now)).toBeUndefined();
    });

    it('ends with the payer’s time, unless the payment is decided', () => {
        const late = '2026-02-01T09:59:59Z';
        expect(['requires_payment_method', 'failed', 'succeeded', 'requires_customer_action'].map((status) => stateOf(status, late))).toEqual(['ended', 'ended', 'paid', 'busy']);
        expect(stateOf('requires_confirmation', null)).toBe('open');
        expect((['open', 'busy', 'paid', 'declined', 'ended', 'closed', undefined] as const).filter(isUsable)).toEqual(['open', 'declined']);
    });
});

describe('a QR code', () => {
    it('has exactly the dark modules of its text, and a margin of four', () => {
        const { size, path } = drawingOf(ADDRESS);
        const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
        for (const [, x, y, length, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
            expect(back).toBe(length);
            drawn[Number(y)]!.fill(true, Number(x), Number(x) + Number(length));
        }
        expect(drawn).toEqual(encode(ADDRESS, { ecc: 'M', border: 4 }).data);
        expect(drawn.slice(0, 4).flat().some(Boolean)).toBe(false);
        expect(path.replaceAll(/M\d+ \d+h\d+v1h-\d+z/g, '')).toBe('');
    });
});

describe('the list of links', () => {
    it('lets the server filter and page, and a search looks in all groups', () => {
        expect(requestOf(filters('offset=25'))).toEqual({ limit: 25, offset: 25, order: { on: 'created', by: 'desc' }, status: ['requires_payment_method', 'requires_confirmation', 'requires_customer_action'] });
        expect(requestOf(filters('payment_id=pay_1&step=nonsense'))).toEqual({ limit: 25, offset: 0, order: { on: 'created', by: 'desc' }, payment_id: 'pay_1' });
        expect(requestOf(filters('payment_id=pay_1&step=failed'))).toMatchObject({ payment_id: 'pay_1', status: ['failed', 'expired'] });
    });

    it('names all that the payer pays, with shipping and taxes', async () => {
        links([{ ...OPEN, net_amount: 7000, shipping_cost: 460 }]);
        open('/links');
        await userEvent.click(await screen.findByRole('button', { name: /^Show: 70\.00.EUR, pay_open$/ }));
        await screen.findByRole('dialog', { name: /^Link to pay 70\.00/ });
    });

    it('finds every paid link in the group of paid ones', () => {
        const paid = Object.entries(STATES).flatMap(([status, state]) => (state === 'paid' ? [status] : []));
        expect(requestOf(filters('step=paid')).status?.toSorted()).toEqual(paid.toSorted());
    });

    it('says which payers can still pay, and offers no address of a link that ended', async () => {
        links();
        open('/links');
        const table = await screen.findByRole('table', { name: 'Payments and their links' });
        const rows = within(table).getAllByRole('row').slice(1);
        expect(rows.map((row) => within(row).getByText(/^(Open|Ended|No link)$/).textContent)).toEqual(['Open', 'Ended', 'No link']);
        expect(within(table).getAllByRole('button')).toHaveLength(1);
        expect(screen.getByRole('link', { name: 'Payment links' }).getAttribute('aria-current')).toBe('page');
        expect(await brokenRules(table)).toEqual([]);
    });

    it('shows the address with its QR code', async () => {
        links();
        const dialog = await openLink();
        expect(within(dialog).getByText('Anyone who has this address can pay, and sees the order.')).toBeTruthy();
        expect(within(dialog).getByText(ADDRESS).tagName).toBe('BDI');
        const code = within(dialog).getByLabelText(/^QR code of the link to pay 65\.40/);
        expect(code.getAttribute('role')).toBe('img');
        expect(code.querySelector('.qr-dark')?.getAttribute('d')).toBe(drawingOf(ADDRESS).path);
        await userEvent.click(within(dialog).getByText('Close'));
        await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull());
    });

    it('copies the address', async () => {
        links();
        const user = userEvent.setup();
        const dialog = await openLink();
        await user.click(within(dialog).getByLabelText(`Copy: ${ADDRESS}`));
        expect(await within(dialog).findByText('Copied')).toBeTruthy();
        expect(await navigator.clipboard.readText()).toBe(ADDRESS);
    });

    it('has a dialog in which axe finds nothing', async () => {
        links();
        expect(await brokenRules(await openLink())).toEqual([]);
    });

    it('changes its group by keyboard', async () => {
        const server = links();
        open('/links');
        const tab = await screen.findByRole('button', { name: 'Waiting' });
        expect(tab.getAttribute('aria-pressed')).toBe('true');
        tab.focus();
        await userEvent.keyboard('{Tab}{Enter}');
        await waitFor(() => expect(server.to('POST', '/payments/list').at(-1)?.body).toMatchObject({ status: ['succeeded', 'partially_captured', 'requires_capture', 'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', 'partially_captured_and_processing'] }));
        expect(window.location.search).toBe('?step=paid');
    });

    it('says how a first link is made, and why a read failed', async () => {
        const server = links([]);
        open('/links');
        expect(await screen.findByText('No payment waits for a payer')).toBeTruthy();
        expect(screen.getByText(/payment_link: true/)).toBeTruthy();
        server.on('POST', '/payments/list', () => refused(400, 'IR_06', '`status` is an unknown word'));
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        expect((await screen.findByRole('alert')).textContent).toContain('`status` is an unknown word');
    });
});

describe('the link of a payment', () => {
    it('is shown with its end, and its code while the payer has a use for it', async () => {
        links([OPEN]);
        open('/payments/pay_open');
        expect(await screen.findByRole('heading', { level: 2, name: 'Payment link' })).toBeTruthy();
        expect(screen.getByText(ADDRESS)).toBeTruthy();
        await userEvent.click(screen.getByRole('button', { name: 'QR code' }));
        expect(await screen.findByRole('dialog', { name: /^Link to pay 65\.40/ })).toBeTruthy();
    });

    it('has no code for a role that may not see its address', async () => {
        links([{ ...OPEN, payment_link: { ...LINK, link: '' } }]);
        open('/payments/pay_open');
        expect(await screen.findByRole('heading', { level: 2, name: 'Payment link' })).toBeTruthy();
        expect(screen.queryByRole('button', { name: 'QR code' })).toBeNull();
    });

    it('is not shown for a payment without one, and has no code once it ended', async () => {
        const server = links([LATE]);
        open('/payments/pay_late');
        expect(await screen.findByText('Ended')).toBeTruthy();
        expect(screen.queryByRole('button', { name: 'QR code' })).toBeNull();
        server.on('GET', '/user/payments/pay_late', () => ({ body: BARE }));
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: 'Payment link' })).toBeNull());
    });
});
