import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { takeLinkToken } from '../src/api/session.ts';
import { App } from '../src/shell/app.tsx';
import { open } from './page.tsx';
import { ENDED, refused, Server, signedIn, USER } from './server.ts';

const SESSION = '/user/console/session';

describe('signing in', () => {
    it('takes the password, then the second step, and opens the console', async () => {
        let isIn = false;
        const server = signedIn()
            .on('GET', '/user', () => (isIn ? { body: USER } : ENDED))
            .on('POST', SESSION, ({ body }) => {
                if ('password' in (body as object)) return { body: { status: 'second_step_required', second_step_token: 'step', expires_at: null } };
                if ((body as { second_step: { totp: string } }).second_step.totp !== '123456') return refused(400, 'UR_37', '`totp` is wrong');
                isIn = true;
                return { body: { status: 'signed_in', second_step_token: null, expires_at: '2026-02-01T00:00:00Z' } };
            });
        render(<App />);
        const user = userEvent.setup();
        await user.type(await screen.findByLabelText('E-mail address'), 'ada@books.example');
        await user.type(screen.getByLabelText('Password'), 'Correct-horse-1{Enter}');
        const code = await screen.findByLabelText('Six-digit code');
        await user.type(code, '000000{Enter}');
        expect(await screen.findByText(/This code is wrong/)).toBeTruthy();
        expect(code.getAttribute('aria-invalid')).toBe('true');
        await user.clear(code);
        await user.type(code, '123 456{Enter}');
        expect(await screen.findByRole('heading', { level: 1, name: 'Home' })).toBeTruthy();
        expect(server.to('POST', SESSION).map(({ body }) => body)).toEqual([
            { password: { email: 'ada@books.example', password: 'Correct-horse-1' } },
            { second_step: { token: 'step', totp: '000000' } },
            { second_step: { token: 'step', totp: '123456' } },
        ]);
    });

    it('says which field is empty, and sends nothing', async () => {
        const server = new Server().on('GET', '/user', () => ENDED);
        render(<App />);
        await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
        expect(screen.getByText('Enter your e-mail address.')).toBeTruthy();
        expect(server.to('POST', SESSION)).toEqual([]);
    });

    it('says that the password is wrong', async () => {
        new Server().on('GET', '/user', () => ENDED).on('POST', SESSION, () => refused(401, 'UR_01', 'wrong'));
        render(<App />);
        await userEvent.type(await screen.findByLabelText('E-mail address'), 'a@b.example');
        await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}');
        expect((await screen.findByRole('alert')).textContent).toContain('The address or the password is wrong.');
    });
});

describe('the link of a sandbox', () => {
    it('leaves the address before it is used', () => {
        window.history.replaceState(null, '', '/console/payments?group=failed#sign_in=abc');
        expect(takeLinkToken()).toBe('abc');
        expect(window.location.href).not.toContain('abc');
        expect(window.location.pathname + window.location.search).toBe('/console/payments?group=failed');
        expect(takeLinkToken()).toBeUndefined();
    });

    it('opens the page even if somebody has broken it', () => {
        window.history.replaceState(null, '', '/console/#sign_in=%E0%A4%A');
        expect(takeLinkToken()).toBe('%E0%A4%A');
        expect(window.location.hash).toBe('');
    });

    it('goes on if it was used before but somebody is signed in', async () => {
        signedIn().on('POST', SESSION, () => refused(401, 'UR_04', 'used'));
        render(<App linkToken="used" />);
        expect(await screen.findByRole('heading', { level: 1, name: 'Home' })).toBeTruthy();
    });

    it('says so if it was used before and nobody is signed in', async () => {
        new Server().on('GET', '/user', () => ENDED).on('POST', SESSION, () => refused(401, 'UR_04', 'used'));
        render(<App linkToken="used" />);
        expect(await screen.findByText(/This link was used before/)).toBeTruthy();
    });
});

describe('a session that ends', () => {
    it('says so, hides what it showed, and returns to the same screen', async () => {
        let isIn = true;
        const server = signedIn()
            .on('GET', '/user', () => (isIn ? { body: USER } : ENDED))
            .on('POST', SESSION, () => {
                isIn = true;
                return { body: { status: 'signed_in', second_step_token: null, expires_at: null } };
            });
        open('/payments?group=succeeded');
        await screen.findByText('Visa', { exact: false });
        const list = server.to('POST', '/payments/list').length;
        isIn = false;
        server.on('POST', '/payments/list', () => (isIn ? { body: { count: 0, total_count: 0, data: [] } } : ENDED));
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        expect(await screen.findByText('Your session has ended. Sign in to continue where you were.')).toBeTruthy();
        expect(screen.queryByText('Visa', { exact: false })).toBeNull();
        await userEvent.type(screen.getByLabelText('E-mail address'), 'ada@books.example');
        await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}');
        expect(await screen.findByRole('heading', { level: 1, name: 'Payments' })).toBeTruthy();
        expect(window.location.pathname + window.location.search).toBe('/console/payments?group=succeeded');
        await waitFor(() => expect(server.to('POST', '/payments/list').length).toBeGreaterThan(list + 1));
    });
});
