import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { ENDED, refused, Server } from './server.ts';

const SESSION = '/user/console/session';
const NOBODY = refused(401, 'IR_01', 'This call needs a valid key');
const KEY = 'admin-key-canary';

const ACCOUNT = { merchant_id: 'bookshop', merchant_name: '<b>Books</b>', organization_id: 'org_1', merchant_account_type: 'standard', created_at: '2026-02-01T10:00:00.000Z' };
const ORGANIZATION = { organization_id: 'org_1', organization_name: 'Books Inc.', organization_type: 'standard', created_at: '2026-02-01T10:00:00.000Z', modified_at: '2026-02-01T10:00:00.000Z' };
const OPERATION = {
    merchant_id: 'bookshop',
    payment_id: 'pay_1',
    attempt_id: 'pay_1_1',
    refund_id: 'ref_1',
    dispute_id: null,
    operation: 'refund',
    progress: 'unknown',
    amount: 1999,
    currency: 'EUR',
    connector: 'fauxpay',
    processor_key: 'mrk_1',
    reason: 'timeout',
    waits_for: 'look_up',
    started_at: '2026-02-01T10:00:00.000Z',
    next_question_at: '2026-02-01T10:30:00.000Z',
};
const ROTATION = { rotation_id: 'rot_1', status: 'finished', pass: 2, at: null, rows_in_all: 91220, looked_at: 91220, sealed_anew: 40483, unreadable: 0, started_at: '2026-02-01T10:00:00.000Z', finished_at: '2026-02-01T10:20:00.000Z' };
const KEYS = {
    master_key: 'mk_1',
    next_master_key: null,
    data_keys: [{ key_id: 'data_1', status: 'sealing', created_at: '2026-02-01T10:00:00.000Z' }],
    merchants_with_keys: 2,
    customers_with_keys: 5,
    customers_with_destroyed_keys: 1,
    rotation: ROTATION,
};
const DETAILS = { version: '0.1.0', is_sandbox: true, public_url: 'http://127.0.0.1:8080', status: 'degraded', components: [{ name: 'database', status: 'ready' }, { name: 'webhook_delivery', status: 'restarting' }], retention: { idempotency_hours: 72, change_set_days: 30, request_log_days: 1, event_days: 90 } };

/** A server at which the operator is signed in, or becomes so by the key. */
function operators(isIn = true): Server {
    let isSignedIn = isIn;
    const reads = (body: unknown) => () => (isSignedIn ? { body } : NOBODY);
    return new Server()
        .on('GET', '/health/details', reads(DETAILS))
        .on('GET', '/accounts', reads([ACCOUNT]))
        .on('GET', '/accounts/bookshop', reads({ ...ACCOUNT, publishable_key: 'pk_1', default_profile: 'pro_1', payment_response_hash_key: 'hash-key-canary' }))
        .on('GET', '/organization', reads([ORGANIZATION]))
        .on('GET', '/organization/org_1', reads(ORGANIZATION))
        .on('GET', '/organization/org_1/accounts', reads([ACCOUNT]))
        .on('GET', '/unresolved_operations', reads([OPERATION]))
        .on('GET', '/keys', reads(KEYS))
        .on('POST', SESSION, ({ body }) => {
            if ((body as { operator: { admin_api_key: string } }).operator.admin_api_key !== KEY) return refused(401, 'IR_01', 'not the admin key');
            isSignedIn = true;
            return { body: { status: 'signed_in', second_step_token: null, expires_at: '2026-02-01T10:30:00Z' } };
        })
        .on('DELETE', SESSION, () => {
            isSignedIn = false;
            return { body: '' };
        });
}

describe('the operator', () => {
    it('signs in by the key, which the page forgets', async () => {
        const server = operators(false);
        open('/operator');
        const field = await screen.findByLabelText('Admin key');
        expect(await brokenRules(document.body)).toEqual([]);
        await userEvent.click(screen.getByRole('button', { name: 'Look around' }));
        expect(screen.getByText('Enter the admin key.')).toBeTruthy();
        await userEvent.type(field, 'other{Enter}');
        expect((await screen.findByRole('alert')).textContent).toContain('This is not the admin key of this server.');
        expect((field as HTMLInputElement).value).toBe('');
        await userEvent.type(field, `${KEY}{Enter}`);
        expect(await screen.findByRole('heading', { level: 1, name: 'Merchant accounts' })).toBeTruthy();
        expect(server.to('POST', SESSION).map(({ body }) => body)).toEqual([{ operator: { admin_api_key: 'other' } }, { operator: { admin_api_key: KEY } }]);
        expect(document.documentElement.outerHTML).not.toContain(KEY);
        expect(window.localStorage.length + window.sessionStorage.length).toBe(0);
        expect(server.sent.some(({ headers }) => headers.has('api-key') || headers.has('authorization'))).toBe(false);
    });

    it('finds an account by the beginning of its id, and goes on to its organization', async () => {
        const server = operators();
        open('/operator');
        await userEvent.type(await screen.findByRole('searchbox', { name: 'Beginning of the account’s id' }), 'book{Enter}');
        await waitFor(() => expect(server.to('GET', '/accounts').at(-1)?.path).toBe('/accounts?limit=25&offset=0&search=book'));
        await userEvent.click(await screen.findByRole('link', { name: 'bookshop' }));
        expect(await screen.findByText('pk_1')).toBeTruthy();
        expect(screen.getByText('<b>Books</b>')).toBeTruthy();
        expect(document.body.textContent).not.toContain('hash-key-canary');
        await userEvent.click(screen.getByRole('link', { name: 'org_1' }));
        expect(await screen.findByRole('heading', { level: 1, name: 'Books Inc.' })).toBeTruthy();
        expect(await screen.findByRole('link', { name: 'bookshop' })).toBeTruthy();
        expect(window.location.pathname).toBe('/console/operator/organizations/org_1');
    });

    it('reads which operations are unresolved', async () => {
        operators();
        open('/operator/unresolved');
        const row = await screen.findByRole('row', { name: /ref_1/ });
        const text = row.textContent ?? '';
        for (const part of ['Refund', '19.99', 'Unknown (timeout)', 'A look-up', 'bookshop', 'mrk_1']) expect(text).toContain(part);
        expect(await brokenRules(document.body)).toEqual([]);
    });

    it('reads version, workers and how long data is kept', async () => {
        operators();
        open('/operator/server');
        const worker = await screen.findByRole('row', { name: /webhook_delivery/ });
        expect(within(worker).getByText('Restarting')).toBeTruthy();
        expect(screen.getByText('0.1.0')).toBeTruthy();
        const times = ['Answers to repeated requests', 'Ids of commits, with request and key', 'Request log', 'Events, deliveries and notices; evidence after a dispute’s end'].map((name) => screen.getByText(name).nextSibling?.textContent);
        expect(times).toEqual(['72 hours', '30 days', '1 day', '90 days']);
        expect(await brokenRules(document.body)).toEqual([]);
    });

    it('reads the names of the keys and how they are changed', async () => {
        operators();
        open('/operator/keys');
        expect(await screen.findByRole('row', { name: /data_1/ })).toBeTruthy();
        expect(screen.getByText('91,220 of about 91,220')).toBeTruthy();
        expect(screen.getByText('Finished', { selector: '.badge' })).toBeTruthy();
        expect(screen.getByRole('heading', { name: 'New data keys' }).nextSibling?.textContent).toContain('the next rotation deletes them');
        expect(screen.getByText('multirail keys rotate')).toBeTruthy();
        expect(screen.getByText(/--master-key/)).toBeTruthy();
        expect(screen.queryByText(/--finish/)).toBeNull();
        expect(await brokenRules(document.body)).toEqual([]);
    });

    it('is told only of the step that the keys are at', async () => {
        const server = operators();
        server.on('GET', '/keys', () => ({ body: { ...KEYS, master_key: null, next_master_key: 'mk_2', rotation: null } }));
        open('/operator/keys');
        expect(await screen.findByText('multirail keys rotate --finish')).toBeTruthy();
        expect(screen.queryByText('multirail keys rotate')).toBeNull();
        expect(screen.getByText(/started with another master key/)).toBeTruthy();
        expect(screen.getByText('The data keys were never rotated.')).toBeTruthy();
        const running = { ...ROTATION, status: 'running', at: 'events.body', rows_in_all: null, looked_at: 40500, unreadable: 3, finished_at: null };
        server.on('GET', '/keys', () => ({ body: { ...KEYS, rotation: running } }));
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        expect(await screen.findByText('events.body')).toBeTruthy();
        expect(screen.getByText('40,500')).toBeTruthy();
        expect(screen.getByText(/^3 rows could not be opened/)).toBeTruthy();
        expect(screen.queryByText(/multirail keys rotate/)).toBeNull();
    });

    it('hides everything when the session ends, and asks for the key', async () => {
        const server = operators();
        open('/operator/organizations');
        await screen.findByText('Books Inc.');
        server.on('GET', '/organization', () => ENDED).on('GET', '/health/details', () => ENDED);
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        expect(await screen.findByText('Your session has ended. Type the key again to go on.')).toBeTruthy();
        expect(screen.queryByText('Books Inc.')).toBeNull();
        expect(window.location.pathname).toBe('/console/operator/organizations');
    });

    it('is no user: the console of users asks them to sign in', async () => {
        operators().on('GET', '/user', () => refused(403, 'IR_22', 'The operator is signed in at the console.'));
        open('/payments');
        expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeTruthy();
    });

    it('signs out', async () => {
        const server = operators();
        open('/operator');
        await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
        expect(await screen.findByLabelText('Admin key')).toBeTruthy();
        expect(screen.queryByText('bookshop')).toBeNull();
        expect(server.to('DELETE', SESSION)).toHaveLength(1);
    });
});
