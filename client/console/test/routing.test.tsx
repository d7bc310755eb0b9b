import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { ACCOUNT, refused, type Server, signedIn, type USER } from './server.ts';

const A = { connector: 'adyen', merchant_connector_id: 'mca_a' };
const B = { connector: 'stripe', merchant_connector_id: 'mca_b' };
const RECORD = { id: 'routing_1', profile_id: 'pro_1', name: 'Stripe first', kind: 'priority', description: '', created_at: 1_767_607_872_345, modified_at: 1_767_607_872_345, algorithm_for: 'payment', decision_engine_routing_id: null };
const FORMER = { ...RECORD, id: 'routing_0', name: 'Adyen only' };
const withData = (record: typeof RECORD, data: unknown): object => ({ ...record, algorithm: { type: 'priority', data } });

/** A server with two accounts, an active configuration and another one. */
function routed(user: Partial<typeof USER> = { role_id: 'merchant_admin' }): Server {
    return signedIn(user)
        .on('GET', '/account/demo/connectors', () => ({ body: [{ ...ACCOUNT, connector_name: 'adyen', connector_label: 'Adyen', merchant_connector_id: 'mca_a' }, { ...ACCOUNT, connector_name: 'stripe', connector_label: 'Stripe', merchant_connector_id: 'mca_b' }] }))
        .on('GET', '/account/demo/business_profile', () => ({ body: [{ profile_id: 'pro_1', profile_name: 'default' }] }))
        .on('GET', '/routing/default/profile', () => ({ body: [{ profile_id: 'pro_1', connectors: [A, B] }] }))
        .on('GET', '/routing/active', () => ({ body: { algorithm: withData(FORMER, [A]), records: [FORMER] } }))
        .on('GET', '/routing', () => ({ body: { merchant_id: 'demo', active_id: 'routing_0', records: [RECORD, FORMER] } }))
        .on('GET', '/routing/routing_1', () => ({ body: withData(RECORD, [B, A]) }))
        .on('GET', '/account/demo/business_profile/pro_1/dynamic_routing', () => ({ body: { profile_id: 'pro_1', split: 100, elimination: null, success_based: { id: 'routing_9', enable: 'metrics' } } }));
}

async function openForm(kind?: string): Promise<HTMLElement> {
    open('/routing/new');
    const add = await screen.findByRole('button', { name: 'Add' });
    if (kind) await userEvent.click(screen.getByRole('button', { name: kind }));
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    return add;
}

// Queries by role are slow beside lists of all currencies.
const rows = (): string[] => [...document.querySelectorAll('[role=row]')].map((row) => /Adyen|Stripe/.exec(row.textContent ?? '')?.[0] ?? '');

describe('the routing of a profile', () => {
    it('says what payments do now, and what they would do, before it activates another configuration', async () => {
        const server = routed().on('POST', '/routing/routing_1/activate', () => ({ body: RECORD }));
        open('/routing');
        expect((await screen.findByText(/^Every payment: use/)).textContent).toMatch(/Adyen/);
        await userEvent.click(await screen.findByRole('button', { name: 'Activate: Stripe first' }));
        const dialog = await screen.findByRole('dialog');
        expect(await within(dialog).findByText(/try .*Stripe.*, then .*Adyen/)).toBeTruthy();
        expect(within(dialog).getByText(/New payments of this profile follow .*Stripe first.* instead of .*Adyen only.*Payments that are already confirmed stay with their account/)).toBeTruthy();
        expect(server.to('POST', '/routing/routing_1/activate')).toEqual([]);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Activate' }));
        expect(await screen.findByText('“Stripe first” is active.')).toBeTruthy();
        expect(server.to('POST', '/routing/routing_1/activate').map(({ body }) => body)).toEqual([{ transaction_type: 'payment' }]);
    });

    it('shows a refusal of the activation, and stays open', async () => {
        routed().on('POST', '/routing/routing_1/activate', () => refused(400, 'IR_16', 'the configuration is already active'));
        open('/routing');
        await userEvent.click(await screen.findByRole('button', { name: 'Activate: Stripe first' }));
        const dialog = await screen.findByRole('dialog');
        await within(dialog).findByText(/^Every payment/);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Activate' }));
        expect(await within(dialog).findByText('the configuration is already active')).toBeTruthy();
    });

    it('offers no changes to a role that may make none', async () => {
        const server = routed({ role_id: 'merchant_view_only' });
        open('/routing');
        await screen.findByText(/^Every payment: use/);
        await screen.findByText('Count only');
        for (const name of ['New configuration', 'Deactivate', 'Change the order', 'Activate: Stripe first', 'On']) expect(screen.queryByRole('button', { name })).toBeNull();
        expect(server.to('GET', '/account/demo/business_profile')).toEqual([]);
    });

    it('switches elimination on after its effect was said', async () => {
        const path = '/account/demo/business_profile/pro_1/dynamic_routing/elimination/toggle';
        const server = routed().on('POST', path, () => ({ body: RECORD }));
        open('/routing');
        await userEvent.click(within(await screen.findByRole('group', { name: 'Elimination' })).getByRole('button', { name: 'On' }));
        const dialog = await screen.findByRole('dialog');
        expect(within(dialog).getByText(/tried last. No account is left out/)).toBeTruthy();
        expect(server.to('POST', path)).toEqual([]);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Change' }));
        await screen.findByText('Elimination: On.');
        expect(server.to('POST', path)[0]?.path).toContain('enable=dynamic_connector_selection');
    });
});

describe('a new configuration', () => {
    it('is put in order by keyboard and by buttons', async () => {
        const server = routed().on('POST', '/routing', () => ({ body: RECORD }));
        await openForm();
        expect(rows()).toEqual(['Adyen', 'Stripe']);
        await userEvent.click(screen.getByRole('button', { name: 'Move Adyen down' }));
        expect(rows()).toEqual(['Stripe', 'Adyen']);
        screen.getByRole('button', { name: /^Drag Adyen/ }).focus();
        await userEvent.keyboard('{Enter}');
        await screen.findByText(/Started dragging/);
        await userEvent.keyboard('{ArrowUp}{ArrowUp}{Enter}');
        await waitFor(() => expect(rows()).toEqual(['Adyen', 'Stripe']));
        await userEvent.click(screen.getByRole('button', { name: 'Move Stripe up' }));
        await userEvent.type(screen.getByLabelText('Name'), 'Mine');
        await userEvent.click(screen.getByRole('button', { name: 'Create' }));
        await screen.findByText(/It has no effect until you activate it/);
        expect(server.to('POST', '/routing').map(({ body }) => body)).toEqual([{ name: 'Mine', description: '', profile_id: 'pro_1', algorithm: { type: 'priority', data: [B, A] } }]);
    });

    it('splits payments only if the shares sum to 100', async () => {
        const server = routed().on('POST', '/routing', () => ({ body: RECORD }));
        await openForm('Volume split');
        await userEvent.type(screen.getByLabelText('Name'), 'Split');
        const [first] = screen.getAllByLabelText(/^Percentage for/);
        await userEvent.clear(first!);
        await userEvent.type(first!, '70');
        expect(screen.getByText('The sum is 120%. It has to be 100%.')).toBeTruthy();
        await userEvent.click(screen.getByRole('button', { name: 'Create' }));
        expect(screen.getByText('Check the marked fields.')).toBeTruthy();
        expect(server.to('POST', '/routing')).toEqual([]);
        const [, second] = screen.getAllByLabelText(/^Percentage for/);
        await userEvent.clear(second!);
        await userEvent.type(second!, '30');
        expect(screen.getByText(/^Every payment: send 70%/)).toBeTruthy();
        await userEvent.click(screen.getByRole('button', { name: 'Create' }));
        await screen.findByText(/It has no effect until you activate it/);
        expect(server.to('POST', '/routing')[0]?.body).toMatchObject({ algorithm: { type: 'volume_split', data: [{ connector: A, split: 70 }, { connector: B, split: 30 }] } });
    });

    it('has rules, whose amounts are entered in the currency of the rule', async () => {
        const server = routed().on('POST', '/routing', () => ({ body: RECORD }));
        await openForm('Rules');
        await userEvent.click(screen.getByText('Add a rule'));
        const dialog = await screen.findByRole('dialog');
        const inside = within(dialog);
        await userEvent.click(inside.getByText('Keep the rule'));
        expect(inside.getByText('Enter a name.')).toBeTruthy();
        expect(inside.getByText('Enter a value.')).toBeTruthy();
        await userEvent.type(inside.getByLabelText('Name of the rule'), 'Large');
        await userEvent.selectOptions(inside.getByLabelText('Values 1'), 'KWD');
        await userEvent.click(inside.getByText('Add a condition'));
        const second = within(inside.getByLabelText('Condition 2'));
        await userEvent.selectOptions(second.getByLabelText('Property'), 'amount');
        await userEvent.type(second.getByLabelText('Amount in KWD'), '1.5');
        await userEvent.click(inside.getByText('Add', { selector: 'button' }));
        expect(inside.getByText(/If the currency is KWD and the amount is at least 1\.500.KWD: use .*Adyen/)).toBeTruthy();
        expect(await brokenRules(dialog)).toEqual([]);
        await userEvent.click(inside.getByText('Keep the rule'));
        await userEvent.type(await screen.findByLabelText('Name'), 'Rules');
        await userEvent.click(screen.getByText('Create'));
        await screen.findByText(/It has no effect until you activate it/);
        const condition = (lhs: string, comparison: string, value: object): object => ({ lhs, comparison, value, metadata: {} });
        expect(server.to('POST', '/routing')[0]?.body).toMatchObject({
            algorithm: {
                type: 'advanced',
                data: {
                    defaultSelection: { type: 'priority', data: [A, B] },
                    rules: [
                        {
                            name: 'Large',
                            connectorSelection: { type: 'priority', data: [A] },
                            statements: [{ condition: [condition('currency', 'equal', { type: 'enum_variant', value: 'KWD' }), condition('amount', 'greater_than_equal', { type: 'number', value: 1500 })] }],
                        },
                    ],
                },
            },
        });
    });

    it('is not created by keeping a rule', async () => {
        const server = routed().on('POST', '/routing', () => ({ body: RECORD }));
        await openForm('Rules');
        await userEvent.type(screen.getByLabelText('Name'), 'Rules');
        const kept = async (): Promise<void> => {
            await userEvent.click(screen.getByText('Keep the rule'));
            await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        };
        await userEvent.click(screen.getByText('Add a rule'));
        const inside = within(await screen.findByRole('dialog'));
        await userEvent.type(inside.getByLabelText('Name of the rule'), 'Large');
        await userEvent.selectOptions(inside.getByLabelText('Values 1'), 'KWD');
        await userEvent.click(inside.getByText('Add', { selector: 'button' }));
        await kept();
        await userEvent.click(screen.getByText('Edit'));
        await screen.findByRole('dialog');
        await kept();
        expect(server.to('POST', '/routing')).toEqual([]);
    });

    it('shows the refusal of the server, and repeats an unknown outcome with the same key', async () => {
        let tries = 0;
        const server = routed().on('POST', '/routing', () => {
            tries += 1;
            return tries < 5 ? new TypeError('connection lost') : refused(422, 'IR_05', '`name` has to have 1 to 64 characters');
        });
        await openForm();
        await userEvent.type(screen.getByLabelText('Name'), 'Mine');
        await userEvent.click(screen.getByRole('button', { name: 'Create' }));
        await screen.findByText(/The outcome is unknown/, undefined, { timeout: 20_000 });
        while (!screen.queryByText('`name` has to have 1 to 64 characters')) {
            await userEvent.click(screen.getByRole('button', { name: 'Create' }));
            await waitFor(() => expect(screen.queryByRole('button', { name: 'Working…' })).toBeNull(), { timeout: 20_000 });
        }
        expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
        expect(new Set(server.to('POST', '/routing').map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    });
});

describe('a configuration', () => {
    it('is tried without a payment', async () => {
        const server = routed().on('POST', '/routing/evaluate', () => ({
            body: { profile_id: 'pro_1', connectors: [B], routing: { routed_by: 'configuration', candidates: [{ ...A, dropped_because: 'currency' }, B] } },
        }));
        open('/routing/configurations/routing_1');
        await userEvent.type(await screen.findByLabelText('Amount'), '12.50');
        await userEvent.click(screen.getByRole('button', { name: 'Try' }));
        expect(await screen.findByText(/doesn’t accept the currency/)).toBeTruthy();
        expect(server.to('POST', '/routing/evaluate')[0]?.body).toEqual({ profile_id: 'pro_1', routing_id: 'routing_1', amount: 1250, currency: 'EUR', payment_method: 'card' });
    });

    it('is estimated on the newest payments before it is activated', async () => {
        const path = '/routing/estimate';
        const counts = { profile_id: 'pro_1', sample_size: 92, not_counted: 8, oldest_created_at: '2026-01-05T10:11:12.345Z', moved: 23, without_account: 1 };
        const connectors = [
            { ...B, first_choice: 68, used: 92, approved: 81, declined: 9, approval_rate_basis_points: 9000 },
            { ...A, first_choice: 23, used: 0, approved: 0, declined: 0 },
        ];
        const server = routed().on('POST', path, () => ({ body: { ...counts, connectors } }));
        open('/routing');
        await userEvent.click(await screen.findByRole('button', { name: 'Activate: Stripe first' }));
        const dialog = await screen.findByRole('dialog');
        await userEvent.click(await within(dialog).findByRole('button', { name: 'Estimate' }));
        expect(await within(dialog).findByText(/^Based on 92 payments, the oldest made/)).toBeTruthy();
        expect(within(dialog).getByText('23 of them (25%) would go to another account first.')).toBeTruthy();
        expect(within(dialog).getByText('1 payment would find no account, and would be refused.')).toBeTruthy();
        expect(within(dialog).getByText('8 payments don’t count, because they were sent to no account.')).toBeTruthy();
        const lines = [...dialog.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent?.replace(/[\u2066-\u2069]/g, '')));
        expect(lines).toEqual([
            ['Stripe', '68', '92', '90% of 90'],
            ['Adyen', '23', '0', '–'],
        ]);
        expect(await brokenRules(dialog)).toEqual([]);
        expect(server.to('POST', path).map(({ body }) => body)).toEqual([{ profile_id: 'pro_1', routing_id: 'routing_1', payment_limit: 100 }]);
        expect(server.to('POST', '/routing/routing_1/activate')).toEqual([]);
    });

    it('is estimated while it is written, by its rules', async () => {
        const server = routed().on('POST', '/routing/estimate', () => ({ body: { profile_id: 'pro_1', sample_size: 0, not_counted: 0, moved: 0, without_account: 0, connectors: [] } }));
        await openForm();
        await userEvent.selectOptions(screen.getByLabelText('Payments'), '500');
        await userEvent.click(screen.getByRole('button', { name: 'Estimate' }));
        expect(await screen.findByText(/there is nothing to estimate/)).toBeTruthy();
        expect(server.to('POST', '/routing/estimate').map(({ body }) => body)).toEqual([{ profile_id: 'pro_1', algorithm: { type: 'priority', data: [A, B] }, payment_limit: 500 }]);
    });

    it('is changed by a copy', async () => {
        routed();
        open('/routing/configurations/routing_1');
        await userEvent.click(await screen.findByRole('button', { name: 'Change a copy' }));
        await screen.findByRole('heading', { level: 1, name: 'New routing configuration' });
        await waitFor(() => expect(rows()).toEqual(['Stripe', 'Adyen']));
        expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Stripe first');
    });
});
