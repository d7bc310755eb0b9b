import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { App } from '../src/shell/app.tsx';
import { open } from './page.tsx';
import { refused, type Sent, signedIn, USER } from './server.ts';

const account = (index: number): object => ({
    merchant_id: index === 0 ? 'demo' : `shop_${index}`,
    merchant_name: index === 0 ? 'Books' : `Shop ${index}`,
    org_id: 'org_1',
    role_id: 'merchant_view_only',
    is_current: index === 0,
});

/** Answers a page of this many accounts. */
const accounts =
    (count: number) =>
    ({ path }: Sent): { body: object[] } => {
        const query = new URLSearchParams(path.split('?')[1]);
        const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
        return { body: Array.from({ length: count }, (_, index) => account(index)).slice(offset, offset + limit) };
    };

describe('the switcher', () => {
    it('leads every role to each merchant account, past the first page too, by keyboard', async () => {
        let merchant_id = 'demo';
        const server = signedIn()
            .on('GET', '/user', () => ({ body: { ...USER, role_id: 'merchant_view_only', merchant_id } }))
            .on('GET', '/user/merchants', accounts(60))
            .on('POST', '/user/console/switch_merchant', ({ body }) => {
                ({ merchant_id } = body as { merchant_id: string });
                return { body: { status: 'signed_in', second_step_token: null, expires_at: null } };
            });
        render(<App />);
        (await screen.findByRole('button', { name: /Books/ })).focus();
        await userEvent.keyboard('{Enter}');
        expect(await screen.findByText('Shop 49')).toBeTruthy();
        expect(screen.queryByText('Shop 50')).toBeNull();
        await userEvent.keyboard('{End}');
        expect(document.activeElement?.textContent).toBe('More merchant accounts');
        await userEvent.keyboard('{Enter}');
        expect(await screen.findByText('Shop 59')).toBeTruthy();
        expect(screen.queryByText('More merchant accounts')).toBeNull();
        await userEvent.keyboard('{End}{Enter}');
        expect(await screen.findByText('You are now in shop_59.')).toBeTruthy();
        expect(server.to('POST', '/user/console/switch_merchant').map(({ body }) => body)).toEqual([{ merchant_id: 'shop_59' }]);
    });

    it('says so if the next page is refused, and keeps the first one', async () => {
        const server = signedIn().on('GET', '/user/merchants', accounts(60));
        render(<App />);
        await userEvent.click(await screen.findByRole('button', { name: /Books/ }));
        const more = await screen.findByText('More merchant accounts');
        server.on('GET', '/user/merchants', () => refused(403, 'IR_22', 'not now'));
        await userEvent.click(more);
        expect(await screen.findByText('Your role doesn’t allow this')).toBeTruthy();
        expect(screen.getByText('Shop 49')).toBeTruthy();
    });

    it('offers no choice to people with one account', async () => {
        const server = signedIn().on('GET', '/user/merchants', accounts(1));
        render(<App />);
        expect((await screen.findByText('Books')).closest('button')).toBeNull();
        expect(server.to('GET', '/user/merchants')).toHaveLength(1);
    });

    it('leads to the first page of a list in another profile, with the same filters', async () => {
        const server = signedIn({ role_id: 'merchant_admin' }).on('GET', '/account/demo/business_profile', () => ({ body: ['Shop', 'Stall'].map((profile_name) => ({ profile_id: `pro_${profile_name}`, profile_name })) }));
        open('/payments?currency=EUR&offset=25');
        await screen.findByRole('heading', { level: 1, name: 'Payments' });
        await userEvent.click(await screen.findByRole('button', { name: /All profiles/ }));
        await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Stall' }));
        await waitFor(() => {
            const last = server.to('POST', '/payments/list').at(-1);
            expect(last?.headers.get('x-profile-id')).toBe('pro_Stall');
            expect(last?.body).toMatchObject({ offset: 0, currency: ['EUR'] });
        });
        expect(window.location.search).toBe('?currency=EUR');
    });
});
