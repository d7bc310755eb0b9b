import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { brokenRules, open } from './page.tsx';
import { ACCOUNT, refused, type Server, signedIn, type USER } from './server.ts';

const ENTRY = {
    payment_method: 'card',
    payment_method_types: ['credit'],
    payment_method_issuers: ['Example Bank'],
    payment_schemes: ['Visa', 'Mastercard'],
    accepted_currencies: { type: 'enable_only', list: ['EUR'] },
    accepted_countries: { type: 'disable_only', list: ['US'] },
    minimum_amount: 100,
    maximum_amount: null,
    recurring_enabled: null,
    installment_payment_enabled: false,
};
const LIMITED = { ...ACCOUNT, connector_name: 'adyen', connector_label: '<b>Adyen</b>', merchant_connector_id: 'mca_a', payment_methods_enabled: [ENTRY] };
const PATH = '/account/demo/connectors/mca_a';
const MASKED = 'te********ey';
const ADDRESS = 'https://pay.example/webhooks/demo/mca_a';

function processors(user: Partial<typeof USER> = { role_id: 'merchant_admin' }): Server {
    return signedIn(user)
        .on('GET', '/account/demo/connectors', () => ({ body: [ACCOUNT, LIMITED] }))
        .on('GET', '/account/demo/business_profile', () => ({ body: [{ profile_id: 'pro_1', profile_name: 'default' }] }))
        .on('GET', PATH, () => ({ body: { ...LIMITED, connector_account_details: { auth_type: 'BodyKey', api_key: MASKED, key1: MASKED }, connector_webhook_url: ADDRESS } }))
        .on('POST', PATH, () => ({ body: LIMITED }));
}

describe('the processors', () => {
    it('are listed with a matrix of their methods', async () => {
        processors();
        open('/processors');
        const matrix = await screen.findByRole('table', { name: 'Payment methods by account' });
        const row = within(matrix).getByRole('row', { name: /Card · Credit/ });
        expect(within(row).getByText('No conditions')).toBeTruthy();
        expect(row.textContent?.replaceAll('\u00a0', ' ')).toContain('Visa, Mastercard · EUR · all but United States · from 1.00 EUR · Example Bank');
        expect(screen.getAllByText('<b>Adyen</b>')[0]?.tagName).toBe('BDI');
        // The one account takes all that its connector can; the other's connector has no such method.
        const other = within(matrix).getByRole('row', { name: /iDEAL/ });
        expect(other.textContent).toContain('EUR · payer present only');
        expect(within(other).getByText('No')).toBeTruthy();
    });

    it('are listed without the descriptions of their connectors too', async () => {
        processors().on('GET', '/connectors', () => ({ body: [] }));
        open('/processors');
        const matrix = await screen.findByRole('table', { name: 'Payment methods by account' });
        expect(within(matrix).getByText('If supported')).toBeTruthy();
    });

    it('can’t be connected by a role that may not', async () => {
        processors({ role_id: 'merchant_operator' });
        open('/processors');
        await screen.findByRole('table', { name: 'Accounts at processors' });
        expect(screen.queryByRole('button', { name: 'Connect an account' })).toBeNull();
    });
});

describe('a new account', () => {
    it('has the members that its connector describes, and is sent once they are filled in', async () => {
        const server = processors().on('POST', '/account/demo/connectors', () => ({ body: LIMITED }));
        open('/processors/new');
        await userEvent.selectOptions(await screen.findByLabelText('Processor'), 'adyen');
        expect(screen.getByLabelText('API key').getAttribute('type')).toBe('password');
        await userEvent.click(screen.getByRole('button', { name: 'Connect an account' }));
        expect(screen.getAllByText('Enter this value.')).toHaveLength(2);
        // Where real money moves the connector needs a setting.
        await userEvent.click(screen.getByLabelText('Use the processor’s test system'));
        expect(screen.getAllByText('Enter this value.')).toHaveLength(3);
        expect(server.to('POST', '/account/demo/connectors')).toEqual([]);
        await userEvent.type(screen.getByLabelText('API key'), 'one');
        await userEvent.type(screen.getByLabelText('Merchant account'), 'two');
        await userEvent.type(screen.getByLabelText('endpoint_prefix'), 'abc');
        await userEvent.click(screen.getByLabelText('several'));
        await userEvent.type(screen.getByLabelText('Secret of the processor’s webhooks'), 'hook');
        await userEvent.click(screen.getByRole('button', { name: 'Connect an account' }));
        await screen.findByText('“<b>Adyen</b>” is connected.');
        expect(server.to('POST', '/account/demo/connectors').map(({ body }) => body)).toEqual([
            {
                connector_type: 'payment_processor',
                connector_name: 'adyen',
                test_mode: false,
                profile_id: 'pro_1',
                check_credentials: true,
                connector_account_details: { auth_type: 'BodyKey', api_key: 'one', key1: 'two' },
                connector_webhook_details: { merchant_secret: 'hook' },
                metadata: { endpoint_prefix: 'abc', several: true },
            },
        ]);
    });

    it('may wait for its credentials', async () => {
        const server = processors().on('POST', '/account/demo/connectors', () => ({ body: LIMITED }));
        open('/processors/new');
        await userEvent.selectOptions(await screen.findByLabelText('Processor'), 'adyen');
        await userEvent.selectOptions(screen.getByLabelText('Kind of credentials'), 'TemporaryAuth');
        expect(screen.queryByRole('button', { name: 'Check the credentials' })).toBeNull();
        await userEvent.click(screen.getByLabelText('Use the processor’s test system'));
        await userEvent.click(screen.getByRole('button', { name: 'Connect an account' }));
        await screen.findByText('“<b>Adyen</b>” is connected.');
        expect(server.to('POST', '/account/demo/connectors')[0]?.body).toMatchObject({ connector_account_details: { auth_type: 'TemporaryAuth' } });
    });

    it('has its credentials checked before anything is stored', async () => {
        const answers = [
            { connector_name: 'adyen', result: 'refused', message: '<b>No such key</b>' },
            { connector_name: 'adyen', result: 'accepted', message: null },
        ];
        const server = processors().on('POST', '/connectors/check', () => ({ body: answers.shift() }));
        open('/processors/new');
        await userEvent.selectOptions(await screen.findByLabelText('Processor'), 'adyen');
        await userEvent.click(screen.getByRole('button', { name: 'Check the credentials' }));
        expect(screen.getAllByText('Enter this value.')).toHaveLength(2);
        await userEvent.type(screen.getByLabelText('API key'), 'one');
        await userEvent.type(screen.getByLabelText('Merchant account'), 'two');
        await userEvent.click(screen.getByRole('button', { name: 'Check the credentials' }));
        expect((await screen.findByText('<b>No such key</b>')).tagName).toBe('BDI');
        // The answer is about the former key.
        await userEvent.type(screen.getByLabelText('API key'), '2');
        expect(screen.queryByText('<b>No such key</b>')).toBeNull();
        await userEvent.click(screen.getByRole('button', { name: 'Check the credentials' }));
        await screen.findByText('✓ The processor accepts these credentials.');
        expect(server.to('POST', '/connectors/check').map(({ body }) => body)).toEqual(
            ['one', 'one2'].map((key) => ({ connector_name: 'adyen', test_mode: true, connector_account_details: { auth_type: 'BodyKey', api_key: key, key1: 'two' } })),
        );
        expect(server.to('POST', '/account/demo/connectors')).toEqual([]);
    });

    it.each([
        ['connector_account_details.api_key lacks a value', 'API key', 'IR_05'],
        ['metadata.endpoint_prefix is required and was not given', 'endpoint_prefix', 'IR_04'],
        ['profile pro_1 has a connector account labelled x already', 'Name of the account', 'HE_01'],
        ["connector_name adyen can't be used: this version has no connector for it", 'Processor', 'IR_06'],
    ])('shows the refusal “%s” at its member', async (message, label, code) => {
        processors().on('POST', '/account/demo/connectors', () => refused(422, code, message));
        open('/processors/new');
        await userEvent.selectOptions(await screen.findByLabelText('Processor'), 'adyen');
        await userEvent.type(screen.getByLabelText('API key'), 'one');
        await userEvent.type(screen.getByLabelText('Merchant account'), 'two');
        await userEvent.click(screen.getByRole('button', { name: 'Connect an account' }));
        await screen.findByText(message);
        expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
    });

    it('of a simulator takes one key only', async () => {
        processors();
        open('/processors/new');
        await userEvent.selectOptions(await screen.findByLabelText('Processor'), await screen.findByRole('option', { name: 'fauxpay (simulator)' }));
        const kinds = within(screen.getByLabelText('Kind of credentials')).getAllByRole('option');
        expect(kinds.map(({ textContent }) => textContent)).toEqual(['One key', 'None yet']);
        expect(await brokenRules(document.querySelector('main')!)).toEqual([]);
    });
});

describe('an account', () => {
    it('never shows its credentials, not even masked, and shows the address of webhooks', async () => {
        processors();
        open('/processors/accounts/mca_a');
        expect(await screen.findByText('Stored: Two keys.')).toBeTruthy();
        expect(document.body.textContent).not.toContain(MASKED);
        expect(await screen.findByText(ADDRESS)).toBeTruthy();
    });

    it('has no address of webhooks at a server without a public one', async () => {
        processors().on('GET', PATH, () => ({ body: LIMITED }));
        open('/processors/accounts/mca_a');
        expect(await screen.findByText(/The operator sets public_url/)).toBeTruthy();
    });

    it('has its stored credentials checked', async () => {
        const server = processors({ role_id: 'merchant_developer' }).on('POST', `${PATH}/check`, () => ({ body: { merchant_connector_id: 'mca_a', connector_name: 'adyen', result: 'not_known', message: 'timeout' } }));
        open('/processors/accounts/mca_a');
        await userEvent.click(await screen.findByRole('button', { name: 'Check the credentials' }));
        await screen.findByText('The processor gave no reliable answer. Try again later.');
        expect(server.to('POST', `${PATH}/check`)).toHaveLength(1);
    });

    it('is not checked by a role that may not', async () => {
        processors({ role_id: 'merchant_operator' });
        open('/processors/accounts/mca_a');
        await screen.findByText('Stored: Two keys.');
        expect(screen.queryByRole('button', { name: 'Check the credentials' })).toBeNull();
    });

    it('is disabled only after its consequence was said', async () => {
        const server = processors();
        open('/processors/accounts/mca_a');
        await userEvent.click(await screen.findByRole('button', { name: 'Disable' }));
        const dialog = await screen.findByRole('dialog');
        expect(within(dialog).getByText(/If no other account accepts a payment, it is refused/)).toBeTruthy();
        expect(server.to('POST', PATH)).toEqual([]);
        await userEvent.click(within(dialog).getByRole('button', { name: 'Disable' }));
        await screen.findByText('“<b>Adyen</b>” is disabled.');
        expect(server.to('POST', PATH).map(({ body }) => body)).toEqual([{ connector_type: 'payment_processor', disabled: true }]);
    });

    it('keeps the conditions of a method that the form doesn’t offer', async () => {
        const server = processors();
        open('/processors/accounts/mca_a');
        await userEvent.click(await screen.findByRole('button', { name: /^Edit: Card/ }));
        const dialog = within(await screen.findByRole('dialog'));
        const least = dialog.getByLabelText('Smallest amount in EUR');
        expect((least as HTMLInputElement).value).toBe('1.00');
        await userEvent.clear(least);
        await userEvent.type(least, '2.5');
        await userEvent.selectOptions(dialog.getByLabelText('Card networks 2'), '');
        await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
        await screen.findByText('The account is changed.');
        expect(server.to('POST', PATH).map(({ body }) => body)).toEqual([{ connector_type: 'payment_processor', payment_methods_enabled: [{ ...ENTRY, minimum_amount: 250, payment_schemes: ['Visa'] }] }]);
    });

    it('is not changed over the change of somebody else', async () => {
        const server = processors();
        open('/processors/accounts/mca_a');
        await userEvent.click(await screen.findByRole('button', { name: /^Edit: Card/ }));
        const dialog = within(await screen.findByRole('dialog'));
        server.on('GET', PATH, () => ({ body: { ...LIMITED, payment_methods_enabled: [{ ...ENTRY, minimum_amount: 999 }] } }));
        await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
        expect(await dialog.findByText(/Somebody else changed the payment methods meanwhile/)).toBeTruthy();
        expect(server.to('POST', PATH)).toEqual([]);
    });

    it('gets new credentials', async () => {
        const server = processors();
        open('/processors/accounts/mca_a');
        await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
        const dialog = within(await screen.findByRole('dialog'));
        await userEvent.type(await dialog.findByLabelText('API key'), 'one');
        await userEvent.type(dialog.getByLabelText('Merchant account'), 'two');
        await userEvent.click(dialog.getByRole('button', { name: 'Replace' }));
        await screen.findByText('The credentials are replaced.');
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        expect(server.to('POST', PATH)[0]?.body).toEqual({ connector_type: 'payment_processor', connector_account_details: { auth_type: 'BodyKey', api_key: 'one', key1: 'two' } });
    });
});
