import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { open } from './page.tsx';
import { signedIn } from './server.ts';

const session = { merchant_id: 'demo', created_at: '2026-02-01T10:00:00.000Z', expires_at: '2026-02-01T22:00:00.000Z', last_used_at: null, client_address: '127.0.0.1' };

describe('the sessions', () => {
    it('tell the console from programs with a token', async () => {
        signedIn().on('GET', '/user/sessions', () => ({
            body: [
                { ...session, session_id: 'ses_1', kind: 'console', is_current: true, user_agent: 'Firefox' },
                { ...session, session_id: 'ses_2', kind: 'token', is_current: false, user_agent: 'curl' },
            ],
        }));
        open('/sessions');
        const rows = await screen.findAllByRole('row', { name: /Firefox|curl/ });
        expect(rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)).toEqual(['Console', 'Token']);
        expect(screen.getByRole('columnheader', { name: 'Kind' })).toBeTruthy();
    });
});
