import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { refused, type Server, signedIn, type USER } from './server.ts';

const PATH = '/account/demo/business_profile/pro_1/webhook_endpoints';
const ENDPOINT = {
    webhook_endpoint_id: 'whe_1',
    profile_id: 'pro_1',
    webhook_url: 'https://books.example/hooks',
    description: '<b>Accounting</b>',
    event_types: ['payment_succeeded', 'refund_succeeded'],
    disabled: false,
    webhook_delivery: { state: 'active', failing_since: null, failures: 0, paused_at: null },
    created: '2026-02-01T10:00:00.000Z',
    modified: '2026-02-01T10:00:00.000Z',
};
const PAUSED = { ...ENDPOINT, webhook_endpoint_id: 'whe_2', webhook_url: 'https://tea.example/', description: undefined, event_types: [], webhook_delivery: { state: 'paused', failing_since: '2026-02-01T10:00:00.000Z', failures: 9, paused_at: '2026-02-06T10:00:00.000Z' } };
const EVENT = {
    event_id: 'evt_1', merchant_id: 'demo', profile_id: 'pro_1', object_id: 'pay_1', event_type: 'payment_succeeded', event_class: 'payments',
    is_delivery_successful: false, initial_attempt_id: 'evt_1', processor_merchant_id: 'demo', created: '2026-02-01T10:00:00.000Z',
};

function endpoints(user: Partial<typeof USER> = {}, list: readonly unknown[] = [ENDPOINT, PAUSED]): Server {
    return signedIn({ role_id: 'merchant_developer', ...user })
        .on('GET', '/account/demo/business_profile', () => ({ body: [{ profile_id: 'pro_1', profile_name: 'default' }] }))
        .on('GET', PATH, () => ({ body: list }));
}

async function press(name: string): Promise<HTMLElement> {
    await userEvent.click(await screen.findByRole('button', { name }));
    return screen.findByRole('dialog');
}

describe('webhook endpoints', () => {
    it('are listed with their choice and state', async () => {
        endpoints();
        open('/endpoints');
        const rows = await screen.findAllByRole('row', { name: /example/ });
        expect(within(rows[0]!).getByText('2 types')).toBeTruthy();
        expect(within(rows[0]!).getByText('Active')).toBeTruthy();
        expect(screen.getByText('<b>Accounting</b>').tagName).toBe('BDI');
        expect(within(rows[1]!).getByText('All')).toBeTruthy();
        expect(within(rows[1]!).getByText('Paused')).toBeTruthy();
        expect(within(rows[1]!).getByRole('button', { name: 'Resume: https://tea.example/' })).toBeTruthy();
        expect(await brokenRules(document.querySelector('main')!)).toEqual([]);
    });

    it('are hidden from roles that may not manage them', async () => {
        endpoints({ role_id: 'merchant_operator' });
        open('/');
        await screen.findByRole('link', { name: 'Webhook deliveries' });
        expect(screen.queryByRole('link', { name: 'Webhook endpoints' })).toBeNull();
    });

    it('are added with chosen events, and show their secret once', async () => {
        const server = endpoints({}, []).on('POST', PATH, () => ({ body: { ...ENDPOINT, secret: 'whsec_secret' } }));
        open('/endpoints');
        const dialog = await press('Add an endpoint');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add an endpoint' }));
        expect(within(dialog).getByText('Enter an address.')).toBeTruthy();
        await userEvent.type(within(dialog).getByLabelText('Address'), 'https://books.example/hooks');
        await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Refund failed' }));
        expect(within(dialog).getAllByRole('group')).toHaveLength(5);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add an endpoint' }));
        await screen.findByText('whsec_secret');
        const [sent] = server.to('POST', PATH);
        expect(sent!.body).toEqual({ webhook_url: 'https://books.example/hooks', description: '', event_types: ['refund_failed'] });
        expect(sent!.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
        await userEvent.keyboard('{Escape}');
        await userEvent.click(screen.getByRole('button', { name: 'I have stored it' }));
        await waitFor(() => expect(screen.queryByText('whsec_secret')).toBeNull());
    });

    it('show a refused address at its field', async () => {
        endpoints().on('POST', `${PATH}/whe_1`, () => refused(422, 'IR_06', 'webhook_url has to lead to a public address'));
        open('/endpoints');
        const dialog = await press('Edit: https://books.example/hooks');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
        await within(dialog).findByText('webhook_url has to lead to a public address');
        expect(within(dialog).getByLabelText('Address').getAttribute('aria-invalid')).toBe('true');
    });

    it('are disabled, resumed and deleted after the consequence was said', async () => {
        const server = endpoints()
            .on('POST', `${PATH}/whe_1`, () => ({ body: { ...ENDPOINT, disabled: true } }))
            .on('POST', `${PATH}/whe_2`, () => ({ body: PAUSED }))
            .on('DELETE', `${PATH}/whe_1`, () => ({ body: { profile_id: 'pro_1', webhook_endpoint_id: 'whe_1', deleted: true } }));
        open('/endpoints');
        let dialog = await press('Disable: https://books.example/hooks');
        expect(within(dialog).getByText(/gets no new events/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Disable' }));
        await screen.findByText('The endpoint is disabled.');
        dialog = await press('Resume: https://tea.example/');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Resume' }));
        await screen.findByText('The endpoint is enabled.');
        dialog = await press('Delete: https://books.example/hooks');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
        await screen.findByText('The endpoint is deleted.');
        expect(server.to('POST', `${PATH}/whe_1`).map(({ body }) => body)).toEqual([{ disabled: true }]);
        expect(server.to('POST', `${PATH}/whe_2`).map(({ body }) => body)).toEqual([{ disabled: false }]);
        expect(server.to('DELETE', `${PATH}/whe_1`)).toHaveLength(1);
    });

    it('get a test event, whose answer is told', async () => {
        endpoints().on('POST', `${PATH}/whe_1/test`, () => ({
            body: { event_id: 'evt_9', webhook_endpoint_id: 'whe_1', is_delivery_successful: false, sent: '2026-02-01T10:00:00.000Z', request: { body: '{}', headers: [] }, response: { body: 'no', headers: [], status_code: 500, error_message: null } },
        }));
        open('/endpoints');
        const dialog = await press('Test event: https://books.example/hooks');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Send now' }));
        await screen.findByText(/did not take the event. The endpoint answered 500/);
    });

    it('count a replay before it is sent', async () => {
        const server = endpoints().on('POST', `${PATH}/whe_1/replay`, ({ body }) => {
            const { dry_run: dryRun } = body as { dry_run: boolean };
            return { body: { dry_run: dryRun, matched: 3, queued: dryRun ? 0 : 3 } };
        });
        open('/endpoints');
        const dialog = await press('Replay: https://books.example/hooks');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Replay' }));
        expect(within(dialog).getByText('Choose a day.')).toBeTruthy();
        await userEvent.type(within(dialog).getByLabelText('Since'), '2026-02-01');
        await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Only events whose deliveries there have all failed' }));
        await userEvent.click(within(dialog).getByRole('button', { name: 'Count' }));
        await within(dialog).findByText('3 events match.');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Replay' }));
        await screen.findByText('3 events are queued.');
        const chosen = { created_after: new Date(2026, 1, 1).toISOString(), only_failed: true };
        expect(server.to('POST', `${PATH}/whe_1/replay`).map(({ body }) => body)).toEqual([{ ...chosen, dry_run: true }, { ...chosen, dry_run: false }]);
    });

    it('say before a replay which events it sends, and that a stopped endpoint gets them later', async () => {
        endpoints();
        open('/endpoints');
        let dialog = await press('Replay: https://books.example/hooks');
        const said = within(dialog).getByText(/events since this day are queued/).textContent;
        expect(said).toMatch(/if it takes their type: also those that it never got before.*retried like a new one.*at most 10,000 events\. More are refused/);
        expect(said).not.toMatch(/are stopped/);
        expect(within(dialog).getByText(/Events that were never sent there.*are left out/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Go back' }));
        dialog = await press('Replay: https://tea.example/');
        expect(within(dialog).getByText(/deliveries of this endpoint are stopped: the events wait until you enable or resume it/)).toBeTruthy();
    });

    it('replay also after a count that was refused', async () => {
        endpoints().on('POST', `${PATH}/whe_1/replay`, ({ body }) => {
            const { dry_run: dryRun } = body as { dry_run: boolean };
            return dryRun ? refused(422, 'IR_06', 'created_after is too early') : { body: { dry_run: false, matched: 3, queued: 3 } };
        });
        open('/endpoints');
        const dialog = await press('Replay: https://books.example/hooks');
        await userEvent.type(within(dialog).getByLabelText('Since'), '2026-02-01');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Count' }));
        await within(dialog).findByText('created_after is too early');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Replay' }));
        await screen.findByText('3 events are queued.');
    });

    it('filter the deliveries', async () => {
        const server = endpoints().on('POST', '/events/demo', () => ({ body: { events: [EVENT], total_count: 1 } }));
        open('/deliveries');
        await userEvent.selectOptions(await screen.findByLabelText('Endpoint'), 'whe_2');
        await waitFor(() => expect(server.to('POST', '/events/demo').at(-1)?.body).toMatchObject({ webhook_endpoint_id: 'whe_2' }));
    });

    it('name themselves at their attempts, which can be sent again', async () => {
        const attempt = { ...EVENT, event_id: 'evt_2', webhook_endpoint_id: 'whe_1', request: { body: '{}', headers: [['a', 'b']] }, response: { body: 'no', headers: [], status_code: 500, error_message: null }, delivery_attempt: 'initial_attempt' };
        const server = endpoints()
            .on('GET', '/events/demo/evt_1/attempts', () => ({ body: [attempt] }))
            .on('POST', '/events/demo/evt_2/retry', () => ({ body: { ...attempt, response: { ...attempt.response, status_code: 200 } } }));
        open('/deliveries/evt_1');
        await screen.findByText('whe_1');
        const dialog = await press('Send again to this endpoint');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Send now' }));
        await screen.findByText('The endpoint answered 200.');
        expect(server.to('POST', '/events/demo/evt_2/retry')).toHaveLength(1);
    });
});
