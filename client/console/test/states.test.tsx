import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { open } from './page.tsx';
import { PAYMENT, refused, signedIn } from './server.ts';

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
