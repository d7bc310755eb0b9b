import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { requestOf } from '../src/screens/payments.tsx';
import { App } from '../src/shell/app.tsx';
import { open } from './page.tsx';
import { PAYMENT, refused, signedIn } from './server.ts';

const filters = (query: string): Parameters<typeof requestOf>[0] => {
    const params = new URLSearchParams(query);
    return { get: (name) => params.get(name) ?? '', offset: Number(params.get('offset') ?? 0) };
};

describe('the list of payments', () => {
    it('lets the server filter, sort and page', () => {
        expect(requestOf(filters('group=failed&currency=KWD&least=1,5&on=amount&dir=asc&offset=50'))).toEqual({
            limit: 25,
            offset: 50,
            order: { on: 'amount', by: 'asc' },
            status: ['failed', 'expired'],
            currency: ['KWD'],
            amount_filter: { start_amount: 1500 },
        });
        expect(requestOf(filters('status=succeeded&group=nonsense&least=5'))).toEqual({ limit: 25, offset: 0, order: { on: 'created', by: 'desc' }, status: ['succeeded'] });
    });

    it('is filtered, sorted and paged by keyboard', async () => {
        const server = signedIn().on('POST', '/payments/list', () => ({ body: { count: 25, total_count: 60, data: Array.from({ length: 25 }, (_, index) => ({ ...PAYMENT, payment_id: `pay_${index}` })) } }));
        open('/payments');
        const last = (): unknown => server.to('POST', '/payments/list').at(-1)?.body;
        const sort = await screen.findByRole('button', { name: /^Amount/ });
        sort.focus();
        await userEvent.keyboard('{Enter}');
        await waitFor(() => expect(last()).toMatchObject({ order: { on: 'amount', by: 'desc' } }));
        expect(screen.getByRole('columnheader', { name: /Amount/ }).getAttribute('aria-sort')).toBe('descending');
        screen.getByRole('button', { name: 'Next' }).focus();
        await userEvent.keyboard('{Enter}');
        await waitFor(() => expect(last()).toMatchObject({ offset: 25 }));
        expect(await screen.findByText('26–50 of 60')).toBeTruthy();
        await userEvent.selectOptions(screen.getByLabelText('Status'), 'failed');
        await waitFor(() => expect(last()).toMatchObject({ offset: 0, status: ['failed'] }));
    });

    it('is filtered by a view that the user saved, until they delete it', async () => {
        const view = { saved_view_id: 'svw_1', name: 'Failed in euros', query: 'currency=EUR&group=failed', created: '2026-01-05T10:11:12.345Z' };
        let views: object[] = [];
        const server = signedIn()
            .on('GET', '/user/saved_views', () => ({ body: views }))
            .on('POST', '/user/saved_views', () => {
                views = [view];
                return { body: view };
            })
            .on('DELETE', '/user/saved_views/svw_1', () => {
                views = [];
                return { body: '' };
            });
        open('/payments?group=failed&currency=EUR&offset=25');
        const last = (): unknown => server.to('POST', '/payments/list').at(-1)?.body;
        await userEvent.click(await screen.findByRole('button', { name: 'Save the view' }));
        await userEvent.click(screen.getByRole('button', { name: 'Save' }));
        expect(screen.getByText('Enter a name.')).toBeTruthy();
        await userEvent.type(screen.getByLabelText('Name'), ' Failed in euros ');
        await userEvent.click(screen.getByRole('button', { name: 'Save' }));
        await screen.findByText('“Failed in euros” is saved.');
        expect(server.to('POST', '/user/saved_views').map(({ body }) => body)).toEqual([{ name: 'Failed in euros', query: 'currency=EUR&group=failed' }]);
        const choice = await screen.findByLabelText<HTMLSelectElement>('Saved views');
        expect(choice.value).toBe('svw_1');
        await userEvent.selectOptions(choice, '');
        await waitFor(() => expect(last()).toEqual({ limit: 25, offset: 0, order: { on: 'created', by: 'desc' } }));
        expect(screen.queryByRole('button', { name: 'Delete the view' })).toBeNull();
        await userEvent.selectOptions(choice, 'svw_1');
        await waitFor(() => expect(last()).toMatchObject({ offset: 0, currency: ['EUR'], status: ['failed', 'expired'] }));
        await userEvent.click(await screen.findByRole('button', { name: 'Delete the view' }));
        await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
        await screen.findByText('“Failed in euros” is deleted.');
        await waitFor(() => expect(screen.queryByLabelText('Saved views')).toBeNull());
    });

    it('shows why a view could not be saved', async () => {
        signedIn().on('POST', '/user/saved_views', () => refused(400, 'IR_16', 'there are 20 saved views: delete one of them first'));
        open('/payments?status=failed');
        await userEvent.click(await screen.findByRole('button', { name: 'Save the view' }));
        await userEvent.type(screen.getByLabelText('Name'), 'One more');
        await userEvent.click(screen.getByRole('button', { name: 'Save' }));
        expect(await screen.findByText('there are 20 saved views: delete one of them first')).toBeTruthy();
    });

    it('goes on only from the page that is shown', async () => {
        let answer: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (answer = resolve));
        const server = signedIn().on('POST', '/payments/list', async ({ body }) => {
            const { offset } = body as { offset: number };
            if (offset > 0) await held;
            const count = offset > 0 ? 5 : 25;
            return { body: { count, total_count: 30, data: Array.from({ length: count }, (_, index) => ({ ...PAYMENT, payment_id: `pay_${offset + index}` })) } };
        });
        open('/payments');
        const next = await screen.findByRole('button', { name: 'Next' });
        await userEvent.click(next);
        await waitFor(() => expect(next.getAttribute('aria-disabled')).toBe('true'));
        await userEvent.click(next);
        answer();
        expect(await screen.findByText('26–30 of 30')).toBeTruthy();
        const offsets = server.to('POST', '/payments/list').map(({ body }) => (body as { offset: number }).offset);
        expect(offsets).toEqual([0, 25]);
    });

    it('names the button that applies a range of amounts', async () => {
        const server = signedIn();
        open('/payments?currency=EUR');
        await userEvent.type(await screen.findByLabelText('Amount from'), '5');
        await userEvent.click(screen.getByRole('button', { name: 'Apply the amounts' }));
        await waitFor(() => expect(server.to('POST', '/payments/list').at(-1)?.body).toMatchObject({ amount_filter: { start_amount: 500 } }));
    });

    it('shows the tab of its group even if that is beyond the edge, and changes it by keyboard', async () => {
        const shown: (string | null)[] = [];
        const look = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
            shown.push(this.textContent);
        });
        onTestFinished(() => look.mockRestore());
        const server = signedIn();
        open('/payments?group=uncaptured');
        const tab = await screen.findByRole('button', { name: 'To capture' });
        expect(tab.getAttribute('aria-pressed')).toBe('true');
        expect(shown).toEqual(['To capture']);
        tab.focus();
        await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Enter}');
        await waitFor(() => expect(shown).toEqual(['To capture', 'Succeeded']));
        expect(server.to('POST', '/payments/list').at(-1)?.body).toMatchObject({ status: ['succeeded', 'partially_captured'] });
    });

    it('says what to do if it is empty or refused', async () => {
        const server = signedIn().on('POST', '/payments/list', () => ({ body: { count: 0, total_count: 0, data: [] } }));
        open('/payments?payment_id=nope');
        expect(await screen.findByText('Clear a filter, or widen the dates.')).toBeTruthy();
        server.on('POST', '/payments/list', () => refused(400, 'IR_06', '`status` is an unknown word'));
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        expect((await screen.findByRole('alert')).textContent).toContain('`status` is an unknown word');
        expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
    });
});

describe('the request log', () => {
    const entry = (index: number): object => ({ request_id: `req_${index}`, operation: 'payments_create', method: 'POST', path: '/payments', status: 200, error_code: null, caller: 'api_key', duration_ms: 4, requested_at: '2026-02-01T10:00:00.000Z' });
    const entries = (count: number) => () => ({ body: Array.from({ length: count }, (_, index) => entry(index)) });

    it('begins with the newest entries again when a filter changes', async () => {
        const server = signedIn().on('GET', '/request_log', entries(25));
        open('/requests');
        const last = (): string | undefined => server.to('GET', '/request_log').at(-1)?.path;
        for (const change of [
            () => userEvent.selectOptions(screen.getByLabelText('Method'), 'POST'),
            () => userEvent.selectOptions(screen.getByLabelText('Answer'), 'success'),
            async () => void fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-02-01' } }),
            () => userEvent.type(screen.getByRole('searchbox', { name: 'Payment id' }), 'pay_1{Enter}'),
        ]) {
            await waitFor(() => expect(document.querySelector('.table-frame')?.getAttribute('aria-busy')).toBe('false'));
            await userEvent.click(screen.getByRole('button', { name: 'Older' }));
            await waitFor(() => expect(last()).toContain('before=req_24'));
            await change();
            await waitFor(() => expect(last()).not.toContain('before='));
        }
        expect(last()).toContain('payment_id=pay_1');
    });

    it('has no way to older entries while the answer to other filters is awaited', async () => {
        const held: (() => void)[] = [];
        const server = signedIn().on('GET', '/request_log', async ({ path }) => {
            if (!path.includes('method=')) return entries(25)();
            await new Promise<void>((resolve) => held.push(resolve));
            return entries(3)();
        });
        open('/requests');
        await screen.findByRole('button', { name: 'Older' });
        await userEvent.selectOptions(screen.getByLabelText('Method'), 'POST');
        await waitFor(() => expect(held).toHaveLength(1));
        await userEvent.click(screen.getByRole('button', { name: 'Older' }));
        held[0]?.();
        await waitFor(() => expect(screen.queryByRole('button', { name: 'Older' })).toBeNull());
        expect(server.to('GET', '/request_log').filter(({ path }) => path.includes('before='))).toEqual([]);
    });

    it('has no pages if it was refused', async () => {
        const server = signedIn().on('GET', '/request_log', entries(25));
        open('/requests');
        await screen.findByRole('button', { name: 'Older' });
        server.on('GET', '/request_log', () => refused(400, 'IR_06', 'odd'));
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        expect(await screen.findByRole('alert')).toBeTruthy();
        expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
    });
});

describe('the navigation', () => {
    it('hides what a role may not open', async () => {
        signedIn({ role_id: 'merchant_view_only' });
        render(<App />);
        expect(await screen.findByRole('link', { name: 'Request log' })).toBeTruthy();
        expect(screen.queryByRole('link', { name: 'API keys' })).toBeNull();
    });

    it('always says whether money is real', async () => {
        signedIn().on('GET', '/', () => ({ body: { sandbox: false } }));
        render(<App />);
        expect(await screen.findByText('Live mode: real money moves.')).toBeTruthy();
        await waitFor(() => expect(document.documentElement.dataset['mode']).toBe('live'));
    });

    it('opens the palette with Ctrl-K and goes to what the server finds', async () => {
        const server = signedIn().on('GET', '/customers/list', () => ({ body: [] }));
        render(<App />);
        await screen.findByRole('link', { name: 'Payments' });
        await userEvent.keyboard('{Control>}k{/Control}');
        const input = await screen.findByRole('searchbox');
        await userEvent.type(input, 'pay_1');
        expect(await screen.findByText('Found', undefined, { timeout: 3000 })).toBeTruthy();
        expect(server.to('POST', '/payments/list').at(-1)?.body).toMatchObject({ merchant_order_reference_id: 'pay_1' });
        await userEvent.keyboard('{ArrowDown}{Enter}');
        expect(await screen.findByRole('heading', { level: 1, name: /65\.40/ })).toBeTruthy();
    });

    it('opens what the palette found, whatever its id has', async () => {
        const customer = { customer_id: 'a/b?c#d', name: 'Ada', email: 'ada@example.com', created_at: '2026-02-01T10:00:00.000Z' };
        const server = signedIn()
            .on('GET', '/customers/list', () => ({ body: [customer] }))
            .on('GET', '/customers/a%2Fb%3Fc%23d', () => ({ body: customer }));
        render(<App />);
        await screen.findByRole('link', { name: 'Payments' });
        await userEvent.keyboard('{Control>}k{/Control}');
        await userEvent.type(await screen.findByRole('searchbox'), 'ada@example.com');
        await userEvent.click(await screen.findByRole('menuitem', { name: /Ada/ }));
        expect(await screen.findByRole('heading', { level: 1, name: 'Ada' })).toBeTruthy();
        expect(window.location.pathname).toBe('/console/customers/a%2Fb%3Fc%23d');
        expect(server.to('GET', '/customers/a%2Fb%3Fc%23d')).toHaveLength(1);
    });

    it('speaks German', async () => {
        window.localStorage.setItem('multirail.language', 'de');
        signedIn();
        render(<App />);
        expect(await screen.findByRole('link', { name: 'Zahlungen' })).toBeTruthy();
        expect(document.documentElement.lang).toBe('de');
    });
});

describe('a delivery', () => {
    it('is sent again only after its consequence was said', async () => {
        const attempt = {
            event_id: 'evt_1',
            profile_id: 'pro_1',
            object_id: 'pay_1',
            event_type: 'payment_succeeded',
            event_class: 'payments',
            is_delivery_successful: false,
            created: '2026-02-01T10:00:00Z',
            delivery_attempt: 'initial_attempt',
            request: { body: '{"a":1}', headers: [['webhook-id', 'evt_1']] },
            response: { body: '<script>alert(1)</script>', headers: [], status_code: 500, error_message: null },
        };
        const server = signedIn()
            .on('GET', '/events/demo/evt_1/attempts', () => ({ body: [attempt] }))
            .on('POST', '/events/demo/evt_1/retry', () => ({ body: { ...attempt, response: { ...attempt.response, status_code: 204 } } }));
        open('/deliveries/evt_1');
        expect((await screen.findByText('<script>alert(1)</script>')).tagName).toBe('CODE');
        await userEvent.click(screen.getByRole('button', { name: 'Send again' }));
        expect(await screen.findByText(/may act on it twice/)).toBeTruthy();
        expect(server.to('POST', '/events/demo/evt_1/retry')).toEqual([]);
        await userEvent.click(screen.getByRole('button', { name: 'Send now' }));
        expect(await screen.findByText('The endpoint answered 204.')).toBeTruthy();
    });
});
