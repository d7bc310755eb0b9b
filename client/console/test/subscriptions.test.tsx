import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { refused, type Server, signedIn } from './server.ts';

const INVOICE = {
    id: 'invoice_1',
    subscription_id: 'sub_1',
    merchant_id: 'demo',
    profile_id: 'pro_1',
    merchant_connector_id: 'mca_2',
    customer_id: 'cus_1',
    amount: 990,
    currency: 'EUR',
    status: 'invoice_paid',
    payment_intent_id: 'pay_1',
    number: 1,
    period_start: '2026-01-31T09:00:00.000Z',
    period_end: '2026-02-28T09:00:00.000Z',
    lines: [{ kind: 'subscription', description: '<b>Reader</b>', quantity: 1, unit_amount: 990, amount: 990, currency: 'EUR' }],
    attempt_count: 1,
    created_at: '2026-01-31T09:00:00.000Z',
};

const SUBSCRIPTION = {
    id: 'sub_1',
    status: 'active',
    profile_id: 'pro_1',
    merchant_id: 'demo',
    customer_id: 'cus_1',
    merchant_reference_id: 'reader_4711',
    plan_id: 'reader',
    item_price_id: 'reader_monthly',
    quantity: 1,
    client_secret: '',
    next_billing_at: '2026-02-28T09:00:00.000Z',
    credit_amount: 0,
    owed_amount: 0,
    refunds: [],
    invoice: INVOICE,
    created_at: '2026-01-31T08:58:00.000Z',
    modified_at: '2026-01-31T09:00:00.000Z',
};

const MONTHLY = { price_id: 'reader_monthly', item_id: 'reader', amount: 990, currency: 'EUR', interval: 'month', interval_count: 1 };
const PLUS = { price_id: 'plus_monthly', item_id: 'plus', amount: 1990, currency: 'EUR', interval: 'month', interval_count: 1 };
const OFFERS = [
    { id: 'reader', name: 'Reader', price_id: [MONTHLY] },
    { id: 'plus', name: 'Reader Plus', price_id: [PLUS, { ...PLUS, price_id: 'plus_usd', currency: 'USD' }, { price_id: 'plus_once', item_id: 'plus', amount: 9900, currency: 'EUR' }] },
];
const ESTIMATE = { amount: 1000, currency: 'EUR', line_items: [], plan_id: 'plus', item_price_id: 'plus_monthly', quantity: 1, credit_amount: 0, next_billing_at: '2026-02-28T09:00:00.000Z' };
const ON = '/user/subscriptions/sub_1';

function server(subscription: object = {}, user: { role_id?: string } = {}): Server {
    return signedIn(user)
        .on('GET', '/user/subscriptions', () => ({ body: [{ ...SUBSCRIPTION, ...subscription }] }))
        .on('GET', ON, () => ({ body: { ...SUBSCRIPTION, ...subscription } }))
        .on('GET', `${ON}/invoices`, () => ({ body: [{ ...INVOICE, id: 'invoice_2', number: 2, status: 'payment_failed', failure_reason: 'insufficient_funds', attempt_count: 3, payment_intent_id: 'pay_2' }, INVOICE] }))
        .on('GET', '/subscriptions/items/reader', () => ({ body: { item_id: 'reader', name: 'Reader', item_type: 'plan' } }))
        .on('GET', '/subscriptions/item_prices/reader_monthly', () => ({ body: { item_price_id: 'reader_monthly', amount: 990, currency: 'EUR', interval: 'month', interval_count: 1 } }))
        .on('GET', '/subscriptions/items', () => ({ body: OFFERS }))
        .on('GET', `${ON}/estimate`, () => ({ body: ESTIMATE }));
}

async function opens(button: string): Promise<HTMLElement> {
    open('/subscriptions/sub_1');
    await userEvent.click(await screen.findByRole('button', { name: button }));
    return screen.findByRole('dialog');
}

describe('the list of subscriptions', () => {
    it('is filtered by the server, and leads to each subscription', async () => {
        const sent = server();
        open('/subscriptions');
        expect((await screen.findByRole('link', { name: /^reader/ })).getAttribute('href')).toBe('/console/subscriptions/sub_1');
        await userEvent.selectOptions(screen.getByLabelText('Status'), 'unpaid');
        await waitFor(() => expect(sent.to('GET', '/user/subscriptions').at(-1)?.path).toContain('status=unpaid'));
        await userEvent.type(screen.getByRole('searchbox', { name: 'Customer id' }), 'cus_1{Enter}');
        await waitFor(() => expect(sent.to('GET', '/user/subscriptions').at(-1)?.path).toContain('customer_id=cus_1'));
        expect(sent.to('GET', '/user/subscriptions').at(-1)?.path).toContain('status=unpaid');
    });

    it('says what to do if it is empty', async () => {
        server().on('GET', '/user/subscriptions', () => ({ body: [] }));
        open('/subscriptions');
        expect(await screen.findByText(/creates one with an API key/)).toBeTruthy();
    });
});

describe('a subscription', () => {
    it('shows its plan, the next invoice, and its invoices with their payments', async () => {
        const sent = server();
        open('/subscriptions/sub_1');
        expect(await screen.findByRole('heading', { level: 1, name: /Reader/ })).toBeTruthy();
        expect(await screen.findByText('9.90 EUR a month')).toBeTruthy();
        expect(await screen.findByText('insufficient_funds')).toBeTruthy();
        const entries = screen.getAllByRole('listitem').filter((one) => /^Invoice/.test(one.textContent ?? ''));
        expect(entries.map((one) => within(one).getByRole('link').getAttribute('href'))).toEqual(['/console/payments/pay_2', '/console/payments/pay_1']);
        expect(entries[0]?.textContent).toContain('the newest of 3');
        // Texts of others are no markup.
        expect(screen.getAllByText('<b>Reader</b>')).toHaveLength(2);
        expect(sent.to('GET', '/subscriptions/items/reader')[0]?.headers.get('x-profile-id')).toBe('pro_1');
    });

    it('has no actions for a role that only reads', async () => {
        server({}, { role_id: 'merchant_view_only' });
        open('/subscriptions/sub_1');
        await screen.findByRole('heading', { level: 1, name: /Reader/ });
        const buttons = within(screen.getByRole('main')).getAllByRole('button').map((one) => one.textContent);
        expect(buttons.filter((text) => /^(Change|Pause|Resume|Cancel|Keep)/.test(text ?? ''))).toEqual([]);
    });

    it('goes by its id where its plan is in no catalogue any more', async () => {
        server().on('GET', '/subscriptions/items/reader', () => refused(404, 'HE_02', 'There is no such entry.'));
        open('/subscriptions/sub_1');
        expect(await screen.findByRole('heading', { level: 1, name: /reader/ })).toBeTruthy();
    });

    it('says that it will end, and keeps going if the plan is withdrawn', async () => {
        const sent = server({ cancelled_at: '2026-02-28T09:00:00.000Z' }).on('POST', `${ON}/resume`, () => ({ body: SUBSCRIPTION }));
        const dialog = await opens('Keep it going');
        expect(screen.getByText(/^It ends on/)).toBeTruthy();
        expect(within(dialog).getByText(/planned end are withdrawn/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Keep it going' }));
        expect(await screen.findByText('It goes on.')).toBeTruthy();
        expect(sent.to('POST', `${ON}/resume`).map(({ body }) => body)).toEqual([{}]);
    });

    it('is unknown where the profile has no such subscription', async () => {
        server().on('GET', ON, () => refused(404, 'IR_37', 'subscription not found for id: sub_1'));
        open('/subscriptions/sub_1');
        expect(await screen.findByText('Not found')).toBeTruthy();
    });
});

describe('a change of the plan', () => {
    it('offers prices of the same currency with periods, and says what the server computed first', async () => {
        const sent = server().on('PUT', `${ON}/update`, () => ({ body: SUBSCRIPTION }));
        const dialog = await opens('Change the plan');
        const choice = await within(dialog).findByLabelText('New price');
        await within(dialog).findByRole('option', { name: /Reader Plus/ });
        expect([...choice.querySelectorAll('option')].map((one) => one.value)).toEqual(['', 'plus_monthly']);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Change the plan' }));
        expect(within(dialog).getByText('Choose another price or quantity.')).toBeTruthy();
        await userEvent.selectOptions(choice, 'plus_monthly');
        expect(await within(dialog).findByText(/^10\.00.EUR is charged to the saved method now/)).toBeTruthy();
        await userEvent.dblClick(within(dialog).getByRole('button', { name: /^Change, and charge 10\.00/ }));
        expect(await screen.findByText('The plan is changed.')).toBeTruthy();
        const changes = sent.to('PUT', `${ON}/update`);
        expect(changes.map(({ body }) => body)).toEqual([{ plan_id: 'plus', item_price_id: 'plus_monthly', quantity: 1 }]);
        expect(changes[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
        expect(sent.to('GET', `${ON}/estimate`).every(({ path }) => path.includes('item_price_id=plus_monthly'))).toBe(true);
    });

    it('computes another quantity, and names the credit of a lower price', async () => {
        const sent = server().on('GET', `${ON}/estimate`, () => ({ body: { ...ESTIMATE, amount: 0, credit_amount: 250 } }));
        const dialog = await opens('Change the plan');
        const quantity = within(dialog).getByLabelText('Quantity');
        await userEvent.clear(quantity);
        expect(within(dialog).getByText('Enter a whole number from 1 on.')).toBeTruthy();
        await userEvent.type(quantity, '2');
        expect(await within(dialog).findByText(/^Nothing is charged now. 2\.50.EUR stays as credit/)).toBeTruthy();
        expect(sent.to('GET', `${ON}/estimate`).at(-1)?.path).toContain('quantity=2');
    });

    it('is not sent without an estimate', async () => {
        const sent = server().on('GET', `${ON}/estimate`, () => refused(400, 'IR_16', 'You cannot update this subscription while one of its invoices is open'));
        const dialog = await opens('Change the plan');
        await within(dialog).findByRole('option', { name: /Reader Plus/ });
        await userEvent.selectOptions(within(dialog).getByLabelText('New price'), 'plus_monthly');
        expect(await within(dialog).findByText(/one of its invoices is open/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Change the plan' }));
        expect(sent.to('PUT', `${ON}/update`)).toEqual([]);
    });
});

describe('a pause, a resumption and a cancellation', () => {
    it('say when they take effect', async () => {
        const sent = server().on('POST', `${ON}/pause`, () => ({ body: { ...SUBSCRIPTION, status: 'paused' } }));
        const dialog = await opens('Pause');
        expect(within(dialog).getByText(/^It is billed until .*Feb 28.*then pauses/)).toBeTruthy();
        await userEvent.selectOptions(within(dialog).getByLabelText('When'), 'immediately');
        expect(within(dialog).getByText(/^It pauses now/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Pause' }));
        expect(await screen.findByText('The pause is set.')).toBeTruthy();
        expect(sent.to('POST', `${ON}/pause`).map(({ body }) => body)).toEqual([{ pause_option: 'immediately' }]);
    });

    it('take a day in the future only', async () => {
        const sent = server().on('POST', `${ON}/pause`, () => ({ body: SUBSCRIPTION }));
        const dialog = await opens('Pause');
        await userEvent.selectOptions(within(dialog).getByLabelText('When'), 'specific_date');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Pause' }));
        expect(within(dialog).getByText('Choose a day in the future.')).toBeTruthy();
        fireEvent.change(within(dialog).getByLabelText('Date'), { target: { value: '2020-01-01' } });
        await userEvent.click(within(dialog).getByRole('button', { name: 'Pause' }));
        expect(sent.to('POST', `${ON}/pause`)).toEqual([]);
        fireEvent.change(within(dialog).getByLabelText('Date'), { target: { value: '2099-05-01' } });
        await userEvent.click(within(dialog).getByRole('button', { name: 'Pause' }));
        await waitFor(() => expect(sent.to('POST', `${ON}/pause`)).toHaveLength(1));
        expect(sent.to('POST', `${ON}/pause`)[0]?.body).toEqual({ pause_option: 'specific_date', pause_at: new Date(2099, 4, 1).toISOString() });
    });

    it('resume with open invoices if asked to', async () => {
        const sent = server({ status: 'paused', paused_at: '2026-02-10T00:00:00.000Z', next_billing_at: undefined }).on('POST', `${ON}/resume`, () => ({ body: SUBSCRIPTION }));
        const dialog = await opens('Resume');
        expect(within(dialog).getByText(/^A new period begins now/)).toBeTruthy();
        await userEvent.click(within(dialog).getByLabelText('Charge open invoices too'));
        await userEvent.click(within(dialog).getByRole('button', { name: 'Resume' }));
        expect(await screen.findByText('The resumption is set.')).toBeTruthy();
        expect(sent.to('POST', `${ON}/resume`)[0]?.body).toEqual({ resume_option: 'immediately', unpaid_invoices_handling: 'schedule_payment_collection' });
    });

    it('cancel with what goes back, and keep their key while the outcome is unknown', async () => {
        let isUp = false;
        const sent = server().on('POST', `${ON}/cancel`, () => (isUp ? { body: { ...SUBSCRIPTION, status: 'cancelled' } } : refused(500, 'HE_00', 'failed')));
        const dialog = await opens('Cancel subscription');
        expect(within(dialog).queryByLabelText('Charge of the current period')).toBeNull();
        await userEvent.selectOptions(within(dialog).getByLabelText('When'), 'immediately');
        await userEvent.selectOptions(within(dialog).getByLabelText('Charge of the current period'), 'prorate');
        await userEvent.click(within(dialog).getByLabelText('Refund credit to the payer'));
        await userEvent.type(within(dialog).getByLabelText('Reason'), 'too expensive');
        expect(within(dialog).getByText('It ends now. This can’t be undone. The charge of the unused rest becomes credit. Credit is refunded to the payments that it came from.')).toBeTruthy();
        const submit = within(dialog).getByRole('button', { name: 'Cancel subscription' });
        await userEvent.click(submit);
        expect(await within(dialog).findByText('The outcome is unknown')).toBeTruthy();
        isUp = true;
        await userEvent.click(submit);
        expect(await screen.findByText('The subscription is cancelled.')).toBeTruthy();
        const calls = sent.to('POST', `${ON}/cancel`);
        expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
        expect(calls.at(-1)?.body).toEqual({ cancel_option: 'immediately', credit_option_for_current_term_charges: 'prorate', refundable_credits_handling: 'schedule_refund', cancel_reason_code: 'too expensive' });
    });

    it('have dialogs in which axe finds nothing', async () => {
        server();
        open('/subscriptions/sub_1');
        for (const name of ['Change the plan', 'Pause', 'Cancel subscription']) {
            await userEvent.click(await screen.findByRole('button', { name }));
            expect(await brokenRules(await screen.findByRole('dialog')), name).toEqual([]);
            await userEvent.keyboard('{Escape}');
            await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        }
    });
});

describe('open invoices and credit', () => {
    it('are charged, voided and refunded after their consequence was said', async () => {
        const [collect, voids] = [`${ON}/invoices/invoice_2/collect`, `${ON}/invoices/invoice_2/void`];
        const sent = server({ status: 'cancelled', credit_amount: 250 })
            .on('POST', collect, () => ({ body: INVOICE }))
            .on('POST', voids, () => ({ body: INVOICE }))
            .on('POST', `${ON}/refund_credit`, () => ({ body: SUBSCRIPTION }));
        open('/subscriptions/sub_1');
        for (const [button, consequence, told] of [
            ['Charge now: Invoice 2:', /^9\.90.EUR is charged to the saved method soon/, 'The invoice is charged soon.'],
            ['Void: Invoice 2:', /doesn’t pay the 9\.90.EUR/, 'The invoice is void.'],
            ['Refund the credit', /^2\.50.EUR goes back/, 'The credit is refunded soon.'],
        ] as const) {
            await userEvent.click(await screen.findByRole('button', { name: button }));
            const dialog = await screen.findByRole('dialog');
            expect(within(dialog).getByText(consequence)).toBeTruthy();
            await userEvent.click(within(dialog).getAllByRole('button').at(-1)!);
            expect(await screen.findByText(told)).toBeTruthy();
            await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        }
        expect([collect, voids, `${ON}/refund_credit`].map((path) => sent.to('POST', path).length)).toEqual([1, 1, 1]);
        // The paid invoice has no buttons.
        expect(screen.queryByRole('button', { name: /Invoice 1:/ })).toBeNull();
    });
});

describe('the palette', () => {
    it('finds a subscription by its id, and still finds the rest if there is none', async () => {
        const sent = server().on('GET', '/customers/list', ({ path }) => ({ body: path.includes('sub_none') ? [{ customer_id: 'sub_none', name: 'Ada' }] : [] }));
        sent.on('POST', '/payments/list', () => ({ body: { count: 0, total_count: 0, data: [] } }));
        open('/');
        await screen.findByRole('link', { name: 'Subscriptions' });
        await userEvent.keyboard('{Control>}k{/Control}');
        const input = await screen.findByRole('searchbox');
        await userEvent.type(input, 'sub_none');
        expect(await screen.findByRole('menuitem', { name: /Ada/ })).toBeTruthy();
        expect(sent.to('GET', '/user/subscriptions/sub_none')).toHaveLength(1);
        await userEvent.clear(input);
        await userEvent.type(input, 'sub_1');
        await userEvent.click(await screen.findByRole('menuitem', { name: /sub_1/ }));
        expect(await screen.findByRole('heading', { level: 1, name: /Reader/ })).toBeTruthy();
    });
});
