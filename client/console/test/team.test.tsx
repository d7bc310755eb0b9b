import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { refused, type Server, signedIn, type USER } from './server.ts';

const ADA = { user_id: 'user_1', email: 'ada@books.example', name: 'Ada', role_id: 'merchant_admin', offered_role_id: null, status: 'active', is_two_factor_auth_setup: true, last_sign_in_at: '2026-02-01T10:00:00.000Z' };
const GRACE = { ...ADA, user_id: 'user_2', email: 'grace@books.example', name: '<b>Grace</b>', role_id: 'merchant_operator', is_two_factor_auth_setup: false, last_sign_in_at: null };
const BOSS = { ...ADA, user_id: 'user_3', email: 'boss@books.example', name: 'Boss', role_id: 'org_admin' };
const JOAN = { ...GRACE, user_id: 'user_4', email: 'joan@books.example', name: null, role_id: 'merchant_view_only', offered_role_id: 'merchant_view_only', status: 'invited', is_two_factor_auth_setup: null };

function team(user: Partial<typeof USER> = {}, isRequired = false): Server {
    return signedIn({ role_id: 'merchant_admin', is_two_factor_auth_setup: true, ...user })
        .on('GET', '/user/team', () => ({ body: [ADA, GRACE, BOSS, JOAN] }))
        .on('GET', '/user/team_settings', () => ({ body: { two_factor_required: isRequired } }));
}

/** Opens the dialog of an action by its button. */
async function press(name: string): Promise<HTMLElement> {
    await userEvent.click(await screen.findByRole('button', { name }));
    return screen.findByRole('dialog');
}

describe('the team', () => {
    it('lists members and invitations, and lets nobody manage a stronger role or oneself', async () => {
        team();
        open('/team');
        const rows = await screen.findAllByRole('row', { name: /books\.example/ });
        const texts = rows.map((row) => within(row).getAllByRole('cell').slice(0, 3).map((cell) => cell.textContent));
        expect(texts).toEqual([
            ['Admin', 'Active', 'On'],
            ['Operator', 'Active', 'Off'],
            ['Organization admin', 'Active', 'On'],
            ['View only', 'Invited', '–'],
        ]);
        const buttons = rows.map((row) => within(row).queryAllByRole('button').map((button) => button.textContent));
        expect(buttons).toEqual([[], ['Change role', 'End sessions', 'Remove'], [], ['Invite again', 'Withdraw']]);
        expect(screen.getByText('<b>Grace</b>').tagName).toBe('BDI');
        expect(await brokenRules(document.querySelector('main')!)).toEqual([]);
    });

    it('is hidden from roles that may not manage it', async () => {
        team({ role_id: 'merchant_operator' });
        open('/');
        await screen.findByRole('link', { name: 'Payments' });
        expect(screen.queryByRole('link', { name: 'Team' })).toBeNull();
        expect(screen.queryByRole('link', { name: 'Audit log' })).toBeNull();
    });

    it('takes an invitation by keyboard alone, with roles up to the own one', async () => {
        const server = team().on('POST', '/user/team', () => ({ body: { user_id: 'user_5', email: 'lin@books.example', role_id: 'merchant_developer', expires_at: '2026-02-08T10:00:00.000Z' } }));
        open('/team');
        (await screen.findByRole('button', { name: 'Invite a person' })).focus();
        await userEvent.keyboard('{Enter}');
        const dialog = await screen.findByRole('dialog');
        const roles = within(dialog).getAllByRole('option').map((option) => option.textContent);
        expect(roles).toEqual(['Admin', 'Developer', 'Operator', 'View only']);
        await userEvent.keyboard('{Enter}');
        expect(within(dialog).getByText('Enter an address.')).toBeTruthy();
        await userEvent.keyboard('lin@books.example');
        await userEvent.selectOptions(within(dialog).getByLabelText('Role'), 'merchant_developer');
        expect(within(dialog).getByText(/API keys, webhooks/)).toBeTruthy();
        expect(within(dialog).getByText(/gets an e-mail/)).toBeTruthy();
        within(dialog).getByLabelText('E-mail address').focus();
        await userEvent.keyboard('{Enter}');
        await screen.findByText('lin@books.example is invited.');
        expect(server.to('POST', '/user/team').map(({ body }) => body)).toEqual([{ email: 'lin@books.example', role_id: 'merchant_developer' }]);
    });

    it('invites the same person again, and no other one', async () => {
        const server = team().on('POST', '/user/team', () => ({ body: { user_id: 'user_4', email: 'joan@books.example', role_id: 'merchant_view_only', expires_at: '2026-02-08T10:00:00.000Z' } }));
        open('/team');
        const dialog = await press('Invite again: joan@books.example');
        await userEvent.type(within(dialog).getByLabelText('E-mail address'), '.evil');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Send the invitation' }));
        await screen.findByText('joan@books.example is invited.');
        expect(server.to('POST', '/user/team').map(({ body }) => body)).toEqual([{ email: 'joan@books.example', role_id: 'merchant_view_only' }]);
    });

    it('shows a refused address at its field', async () => {
        team().on('POST', '/user/team', () => refused(400, 'UR_07', 'This is not an address'));
        open('/team');
        const dialog = await press('Invite a person');
        await userEvent.type(within(dialog).getByLabelText('E-mail address'), 'lin');
        await userEvent.click(within(dialog).getByRole('button', { name: 'Send the invitation' }));
        await within(dialog).findByText('This is not an address');
        expect(within(dialog).getByLabelText('E-mail address').getAttribute('aria-invalid')).toBe('true');
    });

    it('changes a role after its consequence was said', async () => {
        const server = team({ role_id: 'org_admin' }).on('POST', '/user/team/user_2', () => ({ body: { user_id: 'user_2', role_id: 'org_admin' } }));
        open('/team');
        const dialog = await press('Change role: grace@books.example');
        expect(within(dialog).getByText(/holds at once/)).toBeTruthy();
        await userEvent.selectOptions(within(dialog).getByLabelText('Role'), 'org_admin');
        expect(within(dialog).getByText(/everything in all merchant accounts of the organization, at once/)).toBeTruthy();
        expect(server.to('POST', '/user/team/user_2')).toEqual([]);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Change the role' }));
        await screen.findByText('grace@books.example has the role Organization admin now.');
        expect(server.to('POST', '/user/team/user_2').map(({ body }) => body)).toEqual([{ role_id: 'org_admin' }]);
    });

    it('says that a changed role withdraws an open offer', async () => {
        const offered = { ...GRACE, offered_role_id: 'merchant_admin' };
        team().on('GET', '/user/team', () => ({ body: [ADA, offered] }));
        open('/team');
        const dialog = await press('Change role: grace@books.example');
        expect(within(dialog).getByText(/holds at once.*The open offer of the role Admin is withdrawn\./)).toBeTruthy();
    });

    it('says why the last admin stays', async () => {
        team({ role_id: 'org_admin', user_id: 'user_9' }).on('DELETE', '/user/team/user_3', () => refused(400, 'IR_16', 'nobody else is an admin there: make somebody else one first'));
        open('/team');
        const dialog = await press('Remove: boss@books.example');
        expect(within(dialog).getByText(/all merchant accounts of the organization/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
        await within(dialog).findByText(/nobody else is an admin there/);
    });

    it.each([
        ['Remove: grace@books.example', /API keys that they know stay valid/, 'Remove', '/user/team/user_2', 'grace@books.example is removed.'],
        ['Withdraw: joan@books.example', /gives no role/, 'Withdraw', '/user/team/user_4', 'The invitation of joan@books.example is withdrawn.'],
        ['End sessions: grace@books.example', /has to sign in again\. The role stays/, 'End sessions', '/user/team/user_2/sessions', 'The sessions of grace@books.example have ended.'],
    ])('does “%s” after its consequence was said', async (name, consequence, submit, path, done) => {
        const server = team().on('DELETE', path, () => ({ body: '' }));
        open('/team');
        const dialog = await press(name);
        expect(within(dialog).getByText(consequence)).toBeTruthy();
        expect(server.to('DELETE', path)).toEqual([]);
        await userEvent.click(within(dialog).getByRole('button', { name: submit }));
        await screen.findByText(done);
        expect(server.to('DELETE', path)).toHaveLength(1);
    });

    it('requires a second factor, of which the admin has one first', async () => {
        team({ is_two_factor_auth_setup: false });
        open('/team');
        expect((await screen.findByRole('link', { name: 'Set up your second factor' })).getAttribute('href')).toBe('/console/second_factor');
        expect(screen.queryByRole('button', { name: 'Require it' })).toBeNull();
    });

    it('requires a second factor after its consequence was said', async () => {
        const server = team().on('POST', '/user/team_settings', () => ({ body: { two_factor_required: true } }));
        open('/team');
        const dialog = await press('Require it');
        expect(within(dialog).getByText(/can do nothing in this merchant account but set one up/)).toBeTruthy();
        await userEvent.click(within(dialog).getByRole('button', { name: 'Require it' }));
        await screen.findByText('Everybody needs a second factor now.');
        expect(server.to('POST', '/user/team_settings').map(({ body }) => body)).toEqual([{ two_factor_required: true }]);
    });
});

describe('the own audit log', () => {
    const entry = { sequence: 41, recorded_at: '2026-02-01T10:00:00.000Z', operation: 'team_update', principal: 'user', principal_id: 'user_1', target: [{ name: 'user_id', id: 'user_2' }], objects: [{ name: 'user', id: 'user_2' }], ip_address: '203.0.113.7', request_id: '0190-a' };

    it('shows users by their addresses, and pages backwards', async () => {
        const entries = Array.from({ length: 25 }, (_, index) => ({ ...entry, sequence: 41 - index }));
        const server = team().on('GET', '/audit/own', ({ path }) => ({ body: path.includes('before=17') ? [{ ...entry, sequence: 3, principal: 'admin', principal_id: null, ip_address: null }] : entries }));
        open('/audit');
        const row = (await screen.findAllByRole('row', { name: /team_update/ }))[0]!;
        await waitFor(() => expect(row.textContent).toContain('User ada@books.example'));
        expect(row.textContent).toContain('User grace@books.example');
        await userEvent.click(screen.getByRole('button', { name: 'Older' }));
        await screen.findByText(/Operator of the service/, { selector: 'td' });
        expect(server.to('GET', '/audit/own').at(-1)?.path).toBe('/audit/own?limit=25&before=17');
    });

    it('is filtered by the kind of caller in the address', async () => {
        const server = team().on('GET', '/audit/own', () => ({ body: [] }));
        open('/audit?principal=api_key');
        await screen.findByText('No change matches');
        expect(server.to('GET', '/audit/own')[0]?.path).toBe('/audit/own?limit=25&principal=api_key');
    });
});

describe('the second factor', () => {
    it('is all that the console shows while it is missing, and is set up in three steps', async () => {
        const user = { role_id: 'merchant_operator', is_two_factor_auth_required: true };
        let isOn = false;
        const server = team(user)
            .on('GET', '/user', () => ({ body: { user_id: 'user_1', email: 'ada@books.example', name: 'Ada', merchant_id: 'demo', org_id: 'org_1', profile_id: null, entity_type: 'merchant', recovery_codes_left: isOn ? 2 : 0, is_oidc_linked: false, is_two_factor_auth_setup: isOn, ...user } }))
            .on('POST', '/user/2fa/totp/begin', () => ({ body: { secret: 'JBSWY3DP', totp_url: 'otpauth://totp/x?secret=JBSWY3DP' } }))
            .on('POST', '/user/2fa/totp/confirm', ({ body }) => ((body as { totp: string }).totp === '123456' ? { body: { recovery_codes: ['ABCD-1', 'ABCD-2'] } } : refused(400, 'UR_37', 'The code is wrong')));
        open('/payments');
        await screen.findByRole('heading', { name: 'Second factor' });
        expect(screen.queryByRole('link', { name: 'Payments' })).toBeNull();
        await userEvent.keyboard('{Control>}k{/Control}');
        const palette = await screen.findByRole('dialog');
        const offered = within(palette).getAllByRole('menuitem').map((item) => item.textContent);
        expect(offered[0]).toBe('Your second factor');
        expect(offered).not.toContain('Payments');
        await userEvent.keyboard('pay_1');
        await userEvent.keyboard('{Escape}');
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        expect(server.to('POST', '/payments/list')).toEqual([]);
        await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
        expect(screen.getByText('Enter your password.')).toBeTruthy();
        await userEvent.type(screen.getByLabelText('Password'), 'Correct-horse-1{Enter}');
        expect(await screen.findByText('JBSWY3DP')).toBeTruthy();
        await userEvent.click(screen.getByRole('button', { name: 'Turn it on' }));
        expect(screen.getByText('Enter the code that the app shows.')).toBeTruthy();
        expect(screen.getByRole('img', { name: 'QR code with the secret' })).toBeTruthy();
        await userEvent.type(screen.getByLabelText('Code'), '000000{Enter}');
        await screen.findByText('The code is wrong');
        await userEvent.clear(screen.getByLabelText('Code'));
        await userEvent.type(screen.getByLabelText('Code'), '123 456{Enter}');
        expect(await screen.findByText('ABCD-2')).toBeTruthy();
        // The codes can't be shown again, so they stay whatever screen is opened.
        act(() => window.history.pushState(null, '', '/console/refunds'));
        expect(screen.getByText('ABCD-2')).toBeTruthy();
        isOn = true;
        await userEvent.click(screen.getByRole('button', { name: 'I have stored them' }));
        await screen.findByRole('link', { name: 'Payments' });
    });

    it('keeps the recovery codes in sight until they are stored, also where it is not required', async () => {
        let isOn = false;
        const user = { user_id: 'user_1', email: 'ada@books.example', name: 'Ada', merchant_id: 'demo', org_id: 'org_1', profile_id: null, entity_type: 'merchant', role_id: 'merchant_operator', is_oidc_linked: false, is_two_factor_auth_required: false };
        team()
            .on('GET', '/user', () => ({ body: { ...user, recovery_codes_left: isOn ? 1 : 0, is_two_factor_auth_setup: isOn } }))
            .on('POST', '/user/2fa/totp/begin', () => ({ body: { secret: 'JBSWY3DP', totp_url: 'otpauth://totp/x?secret=JBSWY3DP' } }))
            .on('POST', '/user/2fa/totp/confirm', () => ({ body: { recovery_codes: ['ABCD-1'] } }));
        open('/second_factor');
        await userEvent.type(await screen.findByLabelText('Password'), 'Correct-horse-1{Enter}');
        await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
        await screen.findByText('ABCD-1');
        isOn = true;
        act(() => window.history.pushState(null, '', '/console/payments'));
        expect(screen.getByText('ABCD-1')).toBeTruthy();
        expect(screen.queryByRole('link', { name: 'Payments' })).toBeNull();
        await userEvent.click(screen.getByRole('button', { name: 'I have stored them' }));
        await screen.findByRole('link', { name: 'Payments' });
        expect(screen.queryByText('ABCD-1')).toBeNull();
    });
});
