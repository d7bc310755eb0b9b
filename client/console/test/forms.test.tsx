import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { open } from './page.tsx';
import { refused, type Server, signedIn } from './server.ts';

const ENDPOINTS = '/account/demo/business_profile/pro_1/webhook_endpoints';

function profile(): Server {
    return signedIn({ role_id: 'merchant_admin' })
        .on('GET', '/account/demo/business_profile', () => ({ body: [{ profile_id: 'pro_1', profile_name: 'default' }] }))
        .on('GET', ENDPOINTS, () => ({ body: [] }))
        .on('GET', '/api_keys/demo/list', () => ({ body: [] }));
}

/** Opens a form, fills its first field, and sends it. */
async function send(path: string, button: string, field: string, text: string, submit = button): Promise<HTMLElement> {
    open(path);
    await userEvent.click((await screen.findAllByRole('button', { name: button }))[0]!);
    const dialog = await screen.findByRole('dialog');
    await userEvent.type(within(dialog).getByLabelText(field), text);
    await userEvent.click(within(dialog).getByRole('button', { name: submit }));
    return dialog;
}

describe('a refusal', () => {
    it('that names a member without a field is shown above the form', async () => {
        profile().on('POST', ENDPOINTS, () => refused(422, 'IR_06', 'disabled has to be false here'));
        const dialog = await send('/endpoints', 'Add an endpoint', 'Address', 'https://books.example/');
        const alert = await within(dialog).findByRole('alert');
        expect(alert.textContent).toMatch(/The server refused this.*disabled has to be false here/);
        expect(alert.compareDocumentPosition(within(dialog).getByLabelText('Address')) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    });

    it('that names a choice of many is shown there, and one that names two members is shown at one of them', async () => {
        let message = 'event_types has a word twice';
        profile().on('POST', ENDPOINTS, () => refused(422, 'IR_06', message));
        const dialog = await send('/endpoints', 'Add an endpoint', 'Address', 'https://books.example/');
        await within(dialog).findByText(message);
        expect(dialog.querySelector('.refusal')).toBeNull();
        message = 'event_types and webhook_url: another endpoint has both';
        await userEvent.click(within(dialog).getByRole('button', { name: 'Add an endpoint' }));
        await within(dialog).findByText(message);
        expect(dialog.querySelector('.refusal')).toBeNull();
    });

    it('that names a longer member beside the name of a key is shown', async () => {
        const message = 'expiration has to be in the future, whatever the name';
        profile().on('POST', '/api_keys/demo', () => refused(422, 'IR_06', message));
        const dialog = await send('/keys', 'Make a key', 'Name', 'shop', 'Make the key');
        await within(dialog).findByText(message);
        expect(within(dialog).getByLabelText('Lifetime').getAttribute('aria-invalid')).toBe('true');
    });

    it('whose outcome is unknown keeps its advice, whatever member it names', async () => {
        profile().on('POST', ENDPOINTS, () => refused(500, 'HE_00', 'webhook_url could not be stored'));
        const dialog = await send('/endpoints', 'Add an endpoint', 'Address', 'https://books.example/');
        expect((await within(dialog).findByRole('alert')).textContent).toMatch(/The outcome is unknown.*webhook_url could not be stored/);
    });
});
