import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveFor } from '../src/api/leave.ts';
import { brokenRules, comesBack, open } from './page.tsx';
import { refused, type Server, signedIn, USER } from './server.ts';

vi.mock('../src/api/leave.ts', async (original) => ({ ...(await original<object>()), leaveFor: vi.fn() }));

const LINK = '/user/oidc/link';
const PAGE = 'https://id.books.example/authorize?state=s';

/** A server with a provider, at which a user is signed in. */
function withProvider(isLinked = false): Server {
    let isNow = isLinked;
    return signedIn()
        .on('GET', '/user', () => ({ body: { ...USER, is_oidc_linked: isNow } }))
        .on('GET', '/user/auth/list', () => ({ body: [{ auth_method: { type: 'open_id_connect', name: 'Books ID' }, allow_signup: false }] }))
        .on('POST', '/user/console/oidc', () => ({ body: { auth_url: PAGE, expires_at: '2026-02-01T00:10:00Z' } }))
        .on('POST', LINK, ({ body }) => {
            if ((body as { password: string }).password !== 'Correct-horse-1') return refused(401, 'UR_01', 'wrong');
            isNow = true;
            return { body: '' };
        })
        .on('POST', '/user/oidc/unlink', () => {
            isNow = false;
            return { body: '' };
        });
}

beforeEach(() => vi.mocked(leaveFor).mockReset());

describe('the link with the identity provider', () => {
    it('keeps the provider’s answer while nobody knows who came back', async () => {
        const server = withProvider();
        const sent = (): number => server.to('POST', '/user/console/session').length;
        server.on('GET', '/user', () => refused(503, 'HE_00', 'Not now.'));
        comesBack('state=s&code=c');
        const again = await screen.findByRole('button', { name: 'Try again' });
        expect(sent()).toBe(0);
        server.on('GET', '/user', () => ({ body: { ...USER, is_oidc_linked: false } }));
        await userEvent.click(again);
        expect(await screen.findByRole('heading', { name: 'Confirm the link with Books ID' })).toBeTruthy();
        expect(sent()).toBe(0);
    });

    it('says that the server could not be asked, and not that there is none', async () => {
        const server = withProvider().on('GET', '/user/auth/list', () => refused(500, 'HE_00', 'Something went wrong.'));
        open('/identity');
        const again = await screen.findByRole('button', { name: 'Try again' });
        expect(screen.queryByText('There is no identity provider')).toBeNull();
        server.on('GET', '/user/auth/list', () => ({ body: [{ auth_method: { type: 'open_id_connect', name: 'Books ID' }, allow_signup: false }] }));
        await userEvent.click(again);
        expect(await screen.findByRole('button', { name: 'Sign in at Books ID' })).toBeTruthy();
    });

    it('begins at the provider', async () => {
        const server = withProvider();
        open('/');
        await userEvent.click(await screen.findByRole('button', { name: 'Account of ada@books.example' }));
        await userEvent.click(await screen.findByRole('menuitem', { name: 'Your identity provider' }));
        await userEvent.click(await screen.findByRole('button', { name: 'Sign in at Books ID' }));
        await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(PAGE));
        expect(server.to('POST', '/user/console/oidc').map(({ body }) => body)).toEqual([{ screen: '/identity' }]);
    });

    it('is confirmed with the password, and signs nobody else in', async () => {
        const server = withProvider();
        comesBack('state=s&code=c');
        const password = await screen.findByLabelText('Your password here');
        expect(window.location.pathname).toBe('/console/identity');
        expect(await brokenRules(document.body)).toEqual([]);
        await userEvent.type(password, 'wrong{Enter}');
        expect(await screen.findByText('The password is wrong, or you have none here.')).toBeTruthy();
        await userEvent.clear(password);
        await userEvent.type(password, 'Correct-horse-1{Enter}');
        expect((await screen.findAllByText('You can now sign in with Books ID.')).length).toBeGreaterThan(0);
        expect(await screen.findByText('Linked')).toBeTruthy();
        expect(server.to('POST', LINK).at(-1)?.body).toEqual({ password: 'Correct-horse-1', state: 's', code: 'c' });
        expect(server.to('POST', '/user/console/session')).toEqual([]);
    });

    it('says that it took too long, and the session goes on', async () => {
        withProvider().on('POST', LINK, () => refused(401, 'IR_17', 'used before, or too old'));
        comesBack('state=s&code=c');
        await userEvent.type(await screen.findByLabelText('Your password here'), 'Correct-horse-1{Enter}');
        expect((await screen.findByRole('alert')).textContent).toContain('longer than ten minutes');
        await userEvent.click(screen.getByRole('button', { name: 'Go back' }));
        expect(await screen.findByRole('button', { name: 'Sign in at Books ID' })).toBeTruthy();
    });

    it('says that the provider refused', async () => {
        withProvider();
        comesBack('error=access_denied&state=s');
        const alert = await screen.findByRole('alert');
        expect(alert.textContent).toContain('Your account was not linked.');
        expect(alert.textContent).toContain('You cancelled there');
    });

    it('is removed with the password', async () => {
        const server = withProvider(true);
        open('/identity');
        await userEvent.click(await screen.findByRole('button', { name: 'Remove the link' }));
        const dialog = await screen.findByRole('dialog');
        expect(dialog.textContent).toContain('Your other sessions end.');
        await userEvent.type(screen.getByLabelText('Your password here'), 'Correct-horse-1{Enter}');
        expect(await screen.findByRole('button', { name: 'Sign in at Books ID' })).toBeTruthy();
        expect(server.to('POST', '/user/oidc/unlink').map(({ body }) => body)).toEqual([{ password: 'Correct-horse-1' }]);
    });
});
