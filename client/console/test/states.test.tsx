import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { open } from './page.tsx';
import { ACCOUNT, PAYMENT, refused, signedIn } from './server.ts';

const BUSY = refused(403, 'IR_22', 'not now');

describe('a screen that can’t be read again', () => {
    it('says so beside the old state, until a read succeeds', async () => {
        const server = signedIn();
        open('/payments/pay_1');
        await screen.findByText('Succeeded');
        server.on('GET', '/user/payments/pay_1', () => BUSY);
        await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
        const alert = await screen.findByRole('alert');
        expect(alert.textContent).toMatch(/What you see may be old\. It could not be read again: Your role doesn’t allow this\..*Last read:/);
        expect(screen.getByText('Succeeded')).toBeTruthy();
        server.on('GET', '/user/payments/pay_1', () => ({ body: { ...PAYMENT, status: 'cancelled_post_capture' } }));
        await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
        await screen.findByText('Voided after capture');
        expect(screen.queryByRole('alert')).toBeNull();
    });
});

describe('a list', () => {
    it('leads back from a page that has no entries any more', async () => {
        const server = signedIn().on('POST', '/payments/list', ({ body }) => {
            const { offset } = body as { offset: number };
            return { body: offset ? { count: 0, total_count: 1, data: [] } : { count: 1, total_count: 1, data: [PAYMENT] } };
        });
        open('/payments?status=succeeded&offset=25');
        await screen.findByText('Nothing on this page');
        expect(screen.queryByRole('table')).toBeNull();
        await userEvent.click(screen.getByRole('button', { name: 'To the first page' }));
        await screen.findByRole('table');
        expect(window.location.search).toBe('?status=succeeded');
        expect(server.to('POST', '/payments/list').at(-1)?.body).toMatchObject({ offset: 0, status: ['succeeded'] });
    });
});

describe('a failed read', () => {
    it('of the profiles leaves no endless sign of waiting beside it', async () => {
        signedIn({ role_id: 'merchant_developer' }).on('GET', '/account/demo/business_profile', () => BUSY);
        open('/endpoints');
        await screen.findByRole('button', { name: 'Try again' });
        expect(screen.queryByText('Loading…')).toBeNull();
    });

    it('of the accounts is tried again by its button', async () => {
        let isUp = false;
        signedIn({ role_id: 'merchant_admin' })
            .on('GET', '/account/demo/business_profile', () => ({ body: [{ profile_id: 'pro_1', profile_name: 'default' }] }))
            .on('GET', '/routing/default/profile', () => ({ body: [{ profile_id: 'pro_1', connectors: [] }] }))
            .on('GET', '/account/demo/connectors', () => (isUp ? { body: [ACCOUNT] } : BUSY));
        open('/routing/new');
        await screen.findByText('Your role doesn’t allow this');
        isUp = true;
        await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
        await screen.findByLabelText('Name');
    });
});

describe('an identifier', () => {
    it('is marked where the browser has no clipboard for this page', async () => {
        signedIn();
        open('/payments/pay_1');
        const button = await screen.findByRole('button', { name: 'Copy: pay_1' });
        // jsdom has none, like a page without TLS.
        expect(navigator.clipboard).toBeUndefined();
        await userEvent.click(button);
        await waitFor(() => expect(button.textContent).toBe('Not copied: it is marked now, copy it yourself'));
        expect(window.getSelection()?.toString()).toBe('pay_1');
    });
});
