import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { refused, type Server, signedIn } from './server.ts';

const TIMES = { created_at: '2026-01-05T10:00:00.000Z', modified_at: '2026-01-05T10:00:00.000Z' };
const PRODUCT = { product_id: 'reading', merchant_connector_id: 'mca_2', name: 'Reading', is_archived: false, ...TIMES };
const PRICE = { item_price_id: 'reader_monthly', item_id: 'reader', merchant_connector_id: 'mca_2', amount: 990, currency: 'EUR', interval: 'month', interval_count: 1, min_quantity: 1, max_quantity: 100000, taxes: [], time_zone: 'UTC', is_archived: false, ...TIMES };
const OFFER = { id: 'reader', name: 'Reader', price_id: [{ price_id: 'reader_monthly', item_id: 'reader', amount: 990, currency: 'EUR', interval: 'month', interval_count: 1 }] };

function server(user: { role_id?: string } = {}): Server {
    return signedIn(user)
        .on('GET', '/routing/default/profile', () => ({ body: [{ profile_id: 'pro_1', connectors: [] }] }))
        .on('GET', '/subscriptions/products', () => ({ body: [PRODUCT, { ...PRODUCT, product_id: 'old', name: 'Old', is_archived: true }] }))
        .on('GET', '/subscriptions/items', () => ({ body: [OFFER] }))
        .on('GET', '/subscriptions/item_prices', () => ({ body: [{ ...PRICE, item_price_id: 'reader_quarter', amount: 2700, interval_count: 3 }, PRICE, { ...PRICE, item_price_id: 'reader_old', amount: 880, is_archived: true }] }));
}

const table = async (name: string): Promise<HTMLElement> => screen.findByRole('table', { name });

describe('the catalogue', () => {
    it('shows products, plans and prices of the profile’s billing account', async () => {
        const sent = server();
        open('/catalogue');
        expect(within(await table('Plans on offer')).getByText('9.90 EUR a month')).toBeTruthy();
        const prices = await table('Prices that match the filters');
        expect(within(prices).getByText('27.00 EUR every 3 months')).toBeTruthy();
        expect(within(prices).getAllByText('Archived')).toHaveLength(1);
        expect(sent.to('GET', '/subscriptions/products')[0]?.headers.get('x-profile-id')).toBe('pro_1');
        await userEvent.selectOptions(screen.getByLabelText('Plan'), 'reader');
        await waitFor(() => expect(sent.to('GET', '/subscriptions/item_prices').at(-1)?.path).toContain('item_id=reader'));
    });

    it('has no buttons for a role that only reads, and can be scrolled by keyboard', async () => {
        server({ role_id: 'merchant_view_only' });
        open('/catalogue');
        await table('Plans on offer');
        const buttons = within(screen.getByRole('main')).getAllByRole('button').map((one) => one.textContent ?? '');
        expect(buttons.filter((text) => /New|Archive/.test(text))).toEqual([]);
        expect(screen.getByRole('region', { name: 'Plans on offer' }).tabIndex).toBe(0);
    });

    it('says that a long list is cut', async () => {
        const many = Array.from({ length: 100 }, (_, index) => ({ ...PRODUCT, product_id: `reading_${index}` }));
        server().on('GET', '/subscriptions/products', () => ({ body: many }));
        open('/catalogue');
        await table('Plans on offer');
        expect(screen.getAllByText('Only 100 entries are shown. Programs can list the others.')).toHaveLength(1);
    });

    it('says what a profile without a billing account lacks', async () => {
        server().on('GET', '/subscriptions/products', () => refused(400, 'IR_16', 'profile pro_1 has no billing_processor_id'));
        open('/catalogue');
        expect(await screen.findByText('No billing account')).toBeTruthy();
    });

    it('adds a product, a plan and a price after saying that they stay as they are', async () => {
        const sent = server()
            .on('POST', '/subscriptions/products', () => ({ body: PRODUCT }))
            .on('POST', '/subscriptions/items', () => ({ body: { item_id: 'plus' } }))
            .on('POST', '/subscriptions/item_prices', () => ({ body: PRICE }));
        open('/catalogue');
        await userEvent.click(await screen.findByRole('button', { name: 'New product' }));
        let dialog = await screen.findByRole('dialog');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
        expect(within(dialog).getByText('Enter a name.')).toBeTruthy();
        await userEvent.type(within(dialog).getByLabelText('Name'), 'Listening');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
        expect(await screen.findByText('“Listening” is added.')).toBeTruthy();
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

        await userEvent.click(screen.getByRole('button', { name: 'New plan' }));
        dialog = await screen.findByRole('dialog');
        // An archived product takes no plan.
        expect(within(dialog).queryByRole('option', { name: 'Old' })).toBeNull();
        await userEvent.type(within(dialog).getByLabelText('Name'), 'Plus');
        await userEvent.type(within(dialog).getByLabelText('Id'), 'plus');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

        await userEvent.click(screen.getByRole('button', { name: 'New price of Reader' }));
        dialog = await screen.findByRole('dialog');
        await userEvent.type(within(dialog).getByLabelText('Amount in EUR'), '99,00');
        await userEvent.selectOptions(within(dialog).getByLabelText('Billed by'), 'year');
        expect(within(dialog).getByText(/^Customers can subscribe for 99\.00.EUR a year at once/)).toBeTruthy();
        const trial = within(dialog).getByLabelText('Free days before');
        await userEvent.clear(trial);
        await userEvent.type(trial, '14');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        const bodies = ['products', 'items', 'item_prices'].map((list) => sent.to('POST', `/subscriptions/${list}`).map(({ body }) => body));
        expect(bodies).toEqual([
            [{ name: 'Listening' }],
            [{ product_id: 'reading', item_type: 'plan', name: 'Plus', item_id: 'plus' }],
            [{ amount: 9900, currency: 'EUR', interval: 'year', interval_count: 1, item_id: 'reader', trial_period: 14 }],
        ]);
    });

    it('adds a price that is paid once without periods', async () => {
        const sent = server().on('POST', '/subscriptions/item_prices', () => ({ body: PRICE }));
        open('/catalogue');
        await userEvent.click(await screen.findByRole('button', { name: 'New price of Reader' }));
        const dialog = await screen.findByRole('dialog');
        await userEvent.type(within(dialog).getByLabelText('Amount in EUR'), '300');
        await userEvent.selectOptions(within(dialog).getByLabelText('Billed by'), 'once');
        expect(within(dialog).queryByLabelText('Free days before')).toBeNull();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
        await waitFor(() => expect(sent.to('POST', '/subscriptions/item_prices')).toHaveLength(1));
        expect(sent.to('POST', '/subscriptions/item_prices')[0]?.body).toEqual({ amount: 30000, currency: 'EUR', item_id: 'reader' });
    });

    it('archives a price only after its consequence was said', async () => {
        const archive = '/subscriptions/item_prices/reader_monthly/archive';
        const sent = server().on('POST', archive, () => ({ body: { ...PRICE, is_archived: true } }));
        open('/catalogue');
        await userEvent.click(within(await table('Prices that match the filters')).getByRole('button', { name: 'Archive: 9.90\u00a0EUR a month' }));
        const dialog = await screen.findByRole('dialog');
        expect(within(dialog).getByText(/no longer offered. Current subscriptions go on/)).toBeTruthy();
        expect(sent.to('POST', archive)).toEqual([]);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Archive' }));
        expect(await screen.findByText(/is archived\.$/)).toBeTruthy();
        expect(sent.to('POST', archive)[0]?.headers.get('x-profile-id')).toBe('pro_1');
        expect(sent.to('POST', archive)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    });

    it('has dialogs in which axe finds nothing', async () => {
        server();
        open('/catalogue');
        for (const name of ['New product', 'New plan', 'New price of Reader']) {
            await userEvent.click(await screen.findByRole('button', { name }));
            expect(await brokenRules(await screen.findByRole('dialog')), name).toEqual([]);
            await userEvent.keyboard('{Escape}');
            await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        }
    });
});
