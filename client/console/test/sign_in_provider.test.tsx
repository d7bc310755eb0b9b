import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { leaveFor } from '../src/api/leave.ts';
import { App } from '../src/shell/app.tsx';
import { brokenRules, comesBack, open } from './page.tsx';
import { ENDED, refused, Server, signedIn, USER } from './server.ts';

vi.mock('../src/api/leave.ts', async (original) => ({ ...(await original<object>()), leaveFor: vi.fn() }));

const BEGIN = '/user/console/oidc';
const SESSION = '/user/console/session';
const PAGE = 'https://id.books.example/authorize?state=s';
const BROUGHT = { state: 's', code: 'c', iss: 'https://id.books.example' };
const WAYS = [
    { auth_method: { type: 'password', name: null }, allow_signup: false },
    { auth_method: { type: 'open_id_connect', name: 'Books ID' }, allow_signup: false },
    // A later server may offer a way to sign in that this console doesn't know.
    { auth_method: { type: 'magic_link', name: 'Magic' }, allow_signup: false },
];

/** A server with the provider, at which nobody is signed in until a proof counts. */
function withProvider(answers: Record<string, unknown> = {}): Server {
    let isIn = false;
    return signedIn()
        .on('GET', '/user', () => (isIn ? { body: USER } : ENDED))
        .on('GET', '/user/auth/list', () => ({ body: WAYS }))
        .on('POST', BEGIN, () => ({ body: { auth_url: PAGE, expires_at: '2026-02-01T00:10:00Z' } }))
        .on('POST', SESSION, ({ body }) => {
            isIn = !('oidc' in (body as object)) || answers['status'] !== 'second_step_required';
            return { body: { status: 'signed_in', second_step_token: null, expires_at: '2026-02-01T01:00:00Z', ...('oidc' in (body as object) ? answers : {}) } };
        });
}

beforeEach(() => vi.mocked(leaveFor).mockReset());

describe('the way to the identity provider', () => {
    it('is offered by its name, and leaves with the screen at which the user is', async () => {
        const server = withProvider();
        open('/payments?group=failed');
        const button = await screen.findByRole('button', { name: 'Sign in with Books ID' });
        expect(screen.queryByRole('button', { name: /Magic/ })).toBeNull();
        expect(await brokenRules(document.body)).toEqual([]);
        await userEvent.click(button);
        await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(PAGE));
        expect(server.to('POST', BEGIN).map(({ body }) => body)).toEqual([{ screen: '/payments?group=failed' }]);
        // The browser is leaving. A second press begins nothing.
        await userEvent.click(screen.getByRole('button', { name: 'Going to Books ID…' }));
        expect(server.to('POST', BEGIN)).toHaveLength(1);
        expect(window.localStorage.length + window.sessionStorage.length).toBe(0);
    });

    it('is not offered where there is none', async () => {
        const server = new Server().on('GET', '/user', () => ENDED).on('GET', '/user/auth/list', () => ({ body: WAYS.slice(0, 1) }));
        render(<App />);
        await screen.findByRole('button', { name: 'Sign in' });
        await waitFor(() => expect(server.to('GET', '/user/auth/list')).toHaveLength(1));
        // A button would be there as soon as the answer is read.
        await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
        expect(screen.queryByText('or')).toBeNull();
    });

    it('says that the provider can’t be reached, and can be tried again', async () => {
        const server = withProvider().on('POST', BEGIN, () => refused(503, 'HE_00', 'the identity provider can not be reached'));
        render(<App />);
        await userEvent.click(await screen.findByRole('button', { name: 'Sign in with Books ID' }));
        expect((await screen.findByRole('alert')).textContent).toContain('can’t be reached at the moment');
        server.on('POST', BEGIN, () => ({ body: { auth_url: PAGE, expires_at: '2026-02-01T00:10:00Z' } }));
        await userEvent.click(screen.getByRole('button', { name: 'Sign in with Books ID' }));
        await waitFor(() => expect(leaveFor).toHaveBeenCalledOnce());
        expect(screen.queryByRole('alert')).toBeNull();
    });

    it('leads to web pages only', async () => {
        const { leaveFor: leave } = await vi.importActual<typeof import('../src/api/leave.ts')>('../src/api/leave.ts');
        for (const address of ['javascript:alert(1)', 'data:text/html,x', 'nowhere']) expect(() => leave(address)).toThrow(TypeError);
    });
});

describe('the way back from the identity provider', () => {
    it('leaves the address before it is used, and ends at the screen where it began', async () => {
        const server = withProvider({ screen: '/payments?group=failed' });
        const answer = comesBack(new URLSearchParams(BROUGHT).toString());
        expect(answer).toEqual({ proof: BROUGHT });
        expect(window.location.href).not.toContain('code');
        expect(await screen.findByRole('heading', { level: 1, name: 'Payments' })).toBeTruthy();
        expect(window.location.pathname + window.location.search).toBe('/console/payments?group=failed');
        expect(server.to('POST', SESSION).map(({ body }) => body)).toEqual([{ oidc: BROUGHT }]);
        expect(window.localStorage.length + window.sessionStorage.length).toBe(0);
    });

    it('asks for the second step, and then ends at that screen', async () => {
        const server = withProvider({ status: 'second_step_required', second_step_token: 'step', screen: '/refunds' });
        comesBack('state=s&code=c');
        await userEvent.type(await screen.findByLabelText('Six-digit code'), '123456{Enter}');
        expect(await screen.findByRole('heading', { level: 1, name: 'Refunds' })).toBeTruthy();
        expect(window.location.pathname).toBe('/console/refunds');
        expect(server.to('POST', SESSION).map(({ body }) => body)).toEqual([{ oidc: { state: 's', code: 'c' } }, { second_step: { token: 'step', totp: '123456' } }]);
    });

    it('opens no address that is no screen', async () => {
        withProvider({ screen: '~/evil' });
        comesBack('state=s&code=c');
        expect(await screen.findByRole('heading', { level: 1, name: 'Home' })).toBeTruthy();
        expect(window.location.pathname).toBe('/console/');
    });

    it.each([
        [401, 'IR_17', 'began in another browser'],
        [400, 'UR_46', 'could not be verified'],
        [403, 'IR_22', 'you have no account here: ask whoever operates the service for an invitation'],
        [503, 'HE_00', 'can’t be reached at the moment'],
        [429, 'MR_03', 'Too many tries'],
    ])('explains the refusal %i %s', async (status, code, text) => {
        withProvider().on('POST', SESSION, () => refused(status, code, 'you have no account here: ask whoever operates the service for an invitation'));
        comesBack('state=s&code=c');
        const alert = await screen.findByRole('alert');
        expect(alert.textContent).toContain('The identity provider did not sign you in.');
        expect(alert.textContent).toContain(text);
        expect(await screen.findByRole('button', { name: 'Sign in with Books ID' })).toBeTruthy();
        expect(screen.getByLabelText('Password')).toBeTruthy();
    });

    it.each([
        ['access_denied', 'You cancelled there'],
        ['temporarily_unavailable', 'can’t be reached at the moment'],
        ['invalid_scope', '(invalid_scope)'],
        ['call_0800_evil', 'was not finished'],
    ])('explains the provider’s word %s, and shows no text of an address', async (word, text) => {
        const server = withProvider();
        comesBack(new URLSearchParams({ error: word, error_description: 'Call 0800 evil', state: 's' }).toString());
        const alert = await screen.findByRole('alert');
        expect(alert.textContent).toContain(text);
        expect(document.body.textContent).not.toMatch(/0800/);
        expect(server.to('POST', SESSION)).toEqual([]);
    });

    it('is an ordinary visit without an answer', async () => {
        const server = withProvider();
        expect(comesBack('')).toBeUndefined();
        expect(await screen.findByRole('button', { name: 'Sign in' })).toBeTruthy();
        expect(screen.queryByRole('alert')).toBeNull();
        expect(server.to('POST', SESSION)).toEqual([]);
    });
});
