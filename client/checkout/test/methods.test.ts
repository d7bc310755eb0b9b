// The other ways to pay: banks, debits with their mandates, codes, vouchers, transfers, wallets, and saved methods.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../src/frame/clock.ts';
import type { Frame } from './frame.ts';
import { open, user } from './frame.ts';
import { Server, offers, payment, refused } from './server.ts';

let server: Server;
beforeEach(() => {
    server = new Server();
});

const choose = (frame: Frame, name: string) => user.click(frame.input(name));
const body = () => server.confirms.at(-1)?.body;

describe('the choice', () => {
    it('offers what the server offers and the frame knows, the card first', async () => {
        server.offered = offers('ideal', 'apple_pay', 'credit', 'paypal', 'upi_collect');
        const frame = await open();
        const names = [...frame.root.querySelectorAll('.option')].map((option) => option.textContent);
        expect(names).toEqual(['Card', 'iDEAL', 'PayPal', 'UPI, with your UPI address']);
        expect(frame.root.querySelector('legend')?.textContent).toBe('How would you like to pay?');
        await choose(frame, 'PayPal');
        expect(frame.of('change').at(-1)).toMatchObject({ complete: true, value: { type: 'paypal' } });
    });

    it('of a card element is the card', async () => {
        server.offered = offers('credit', 'paypal');
        const frame = await open({ surface: 'card' });
        expect(frame.root.querySelector('input[type=radio]')).toBeNull();
        expect(server.of('GET', '/customers/payment_methods')).toEqual([]);
    });

    it('is named where there is none', async () => {
        server.offered = offers('apple_pay');
        expect((await open()).text).toContain('There is no way to pay here at the moment.');
    });

    it('shows a fee before it is paid', async () => {
        server.retrieved = [{ body: payment({ net_amount: 6700, surcharge_details: { surcharge_amount: 150, tax_amount: 10 } }) }];
        const frame = await open();
        expect(frame.root.querySelector('.fees')?.textContent).toBe('Amount$65.40Fee$1.60Total$67.00');
    });
});

describe('a bank or wallet', () => {
    it('is visited, with the bank that the payer may choose', async () => {
        server.offered = offers('credit', 'ideal');
        server.confirmed = [{ body: payment({ status: 'requires_customer_action', payment_method_type: 'ideal', next_action: { type: 'redirect_to_url', redirect_to_url: 'https://pay.example/v' } }) }];
        const frame = await open();
        await choose(frame, 'iDEAL');
        expect(frame.text).toContain('You go on to iDEAL to pay.');
        await frame.types({ 'Your bank (optional)': 'rabobank' });
        expect(await frame.confirm()).toMatchObject({ ok: true });
        frame.button('Go on to iDEAL');
        expect(body()).toMatchObject({ payment_method: 'bank_redirect', payment_method_type: 'ideal', payment_method_data: { bank_redirect: { ideal: { bank_name: 'rabobank' } } } });
    });

    it('needs no field at all', async () => {
        server.offered = offers('paypal');
        const frame = await open();
        await frame.confirm();
        expect(body()).toMatchObject({ payment_method: 'wallet', payment_method_type: 'paypal', payment_method_data: { wallet: { paypal_redirect: {} } } });
    });

    it('asks for the address that it needs, with what the payment knows, and for a state where the server wants one', async () => {
        server.offered = offers('klarna');
        server.retrieved = [{ body: payment({ billing: { address: { first_name: 'Ada', line2: null }, phone: null, email: null } }) }];
        server.confirmed = [refused(400, 'IR_04', 'payment_method_data.billing.address.state is missing'), { body: payment({ status: 'processing' }) }];
        const frame = await open();
        await frame.types({ 'E-mail address': 'ada@example.com', Country: 'US' });
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { type: 'validation_error' } });
        expect(body()?.['payment_method_data']).toMatchObject({ billing: { email: 'ada@example.com', address: { first_name: 'Ada', country: 'US' } } });
        await frame.types({ 'State or province': 'CA' });
        await frame.confirm();
        expect(body()?.['payment_method_data']).toMatchObject({ billing: { address: { state: 'CA' } } });
    });
});

describe('a debit', () => {
    it('shows its mandate, and is sent with the payer’s consent', async () => {
        server.offered = offers('sepa');
        server.confirmed = [{ body: payment({ status: 'processing', payment_method: 'bank_debit' }) }];
        const frame = await open();
        expect(frame.root.querySelector('.mandate')?.textContent).toMatch(/^SEPA Direct Debit mandateCreditorThe bookshopAmount\$65\.40Type of paymentOne-off/);
        await frame.types({ 'Account holder': 'Ada Reader', IBAN: 'DE89370400440532013001' });
        expect(await frame.confirm()).toMatchObject({ ok: false });
        expect(frame.fault('IBAN')).toBe('Enter the IBAN as it stands on your card or statement.');
        await user.clear(frame.input('IBAN'));
        await frame.types({ IBAN: 'de89370400440532013000' });
        expect(frame.input('IBAN').value).toBe('DE89 3704 0044 0532 0130 00');
        expect(await frame.confirm()).toMatchObject({ ok: false });
        expect(frame.fault('I agree to this mandate.')).toContain('Please agree.');
        await user.click(frame.input('I agree to this mandate.'));
        expect(await frame.confirm()).toMatchObject({ ok: true, value: { payment: { status: 'processing' } } });
        expect(body()).toMatchObject({
            payment_method: 'bank_debit',
            customer_acceptance: { acceptance_type: 'online' },
            payment_method_data: { bank_debit: { sepa_bank_debit: { iban: 'DE89370400440532013000', bank_account_holder_name: 'Ada Reader' } } },
        });
        expect(frame.text).toContain('Please don’t pay again.');
    });

    it('by Bacs shows the account once more before the mandate', async () => {
        server.offered = offers('bacs');
        const frame = await open();
        await frame.types({ 'Account holder': 'Ada Reader', 'Sort code (6 digits)': '10-88-00', 'Account number': '00012345' });
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'review_required' } });
        expect(document.activeElement?.textContent).toBe('Please check your details');
        expect(frame.root.querySelector('.facts')?.textContent).toBe('Account holderAda ReaderSort code (6 digits)10-88-00Account number00012345');
        await user.click(frame.button('Change the details'));
        await user.type(frame.input('Account holder'), ' Jr');
        await frame.confirm();
        await user.click(frame.input(/^I am the account holder/));
        expect(await frame.confirm()).toMatchObject({ ok: true });
        expect(body()?.['payment_method_data']).toEqual({ bank_debit: { bacs_bank_debit: { sort_code: '108800', account_number: '00012345', bank_account_holder_name: 'Ada Reader Jr' } } });
    });
});

describe('a step outside of the page', () => {
    const waits = (next_action: object) => payment({ status: 'requires_customer_action', next_action } as never);

    it('is a code to scan: the frame shows it, and waits until it is paid', async () => {
        server.offered = offers('pix');
        const shown = waits({ type: 'qr_code_information', image_data_url: 'data:image/svg+xml;base64,PHN2Zy8+', display_text: 'pix-code', qr_code_url: 'javascript:alert(1)', display_to_timestamp: 1_893_456_000_000 });
        server.confirmed = [{ body: shown }];
        const frame = await open();
        clock.pause = () => new Promise((done) => setTimeout(done, 20));
        server.retrieved = [{ body: shown }, 'unreachable', { body: shown }];
        const answer = frame.confirm();
        await vi.waitFor(() => expect(frame.text).toContain('Scan the code to pay'));
        expect(frame.root.querySelector('img')?.getAttribute('alt')).toBe('QR code of this payment; its text is below');
        expect(frame.text).toContain('pix-code');
        expect(frame.root.querySelector('a')).toBeNull();
        server.retrieved = ['unreachable', { body: payment({ status: 'succeeded' }) }];
        expect(await answer).toMatchObject({ ok: true, value: { payment: { status: 'succeeded' } } });
        expect(frame.text).toContain('Your payment was approved.');
    });

    it('is a voucher, which the payer notes, and may pay days later', async () => {
        server.offered = offers('boleto');
        const shown = waits({ type: 'display_voucher_information', voucher_details: { reference: '0339-123', expires_at: 1_893_456_000_000, instructions_url: 'https://pay.example/voucher' } });
        server.confirmed = [{ body: shown }];
        const frame = await open();
        await frame.types({ 'Tax number (CPF or CNPJ)': '123.456.789-01' });
        clock.pause = () => new Promise((done) => setTimeout(done, 20));
        server.retrieved = [{ body: shown }];
        const answer = frame.confirm();
        await vi.waitFor(() => expect(frame.text).toContain('0339-123'));
        expect(frame.root.querySelector('a')?.getAttribute('rel')).toBe('noopener noreferrer');
        await user.click(frame.button('I have noted this'));
        expect(await answer).toMatchObject({ ok: true, value: { payment: { status: 'requires_customer_action' } } });
        // It stays, and the end of the secret takes nothing away.
        server.retrieved = [refused(400, 'IR_08')];
        await vi.waitFor(() => expect(frame.text).toContain('You can still pay as described'));
        expect(frame.text).toContain('0339-123');
        expect(body()?.['payment_method_data']).toEqual({ voucher: { boleto: { social_security_number: '12345678901' } } });
    });

    it('is a transfer, which tells what is missing', async () => {
        const shown = (received: number) => waits({
            type: 'display_bank_transfer_information',
            bank_transfer_steps_and_charges_details: { sepa_bank_instructions: { account_holder_name: 'The bookshop', iban: 'DE89370400440532013000', bic: 'COBADEFF', reference: 'R-1' }, receiver: { amount_received: received, amount_remaining: 6540 - received } },
        });
        server.offered = offers('sepa_bank_transfer');
        server.confirmed = [{ body: shown(0) }];
        const frame = await open();
        const countries = [...(frame.root.querySelector('select')?.options ?? [])].map((option) => option.value);
        expect(countries).toEqual(['', 'BE', 'FR', 'DE', 'IE', 'NL', 'ES']);
        await frame.types({ Country: 'DE' });
        clock.pause = () => new Promise((done) => setTimeout(done, 20));
        const part = payment({ ...shown(540), status: 'processing' });
        server.retrieved = [{ body: shown(0) }, { body: part }];
        const answer = frame.confirm();
        await vi.waitFor(() => expect(frame.text).toContain('DE89 3704 0044 0532 0130 00'));
        await vi.waitFor(() => expect(frame.text).toContain('Received so far$5.40'));
        expect(frame.text).toContain('Amount to transfer$60.00');
        server.retrieved = [{ body: payment({ status: 'succeeded' }) }];
        expect(await answer).toMatchObject({ ok: true, value: { payment: { status: 'succeeded' } } });
    });

    it('is an app that asks: a refusal there brings the form back', async () => {
        server.offered = offers('upi_collect', 'paypal');
        server.confirmed = [{ body: waits({ type: 'wait_screen_information', display_to_timestamp: 1_893_456_000_000_000_000 }) }];
        const frame = await open();
        await frame.types({ 'UPI address': 'ada@upi' });
        server.retrieved = [{ body: payment({ status: 'failed', manual_retry_allowed: true, error_code: 'refused' }) }];
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { type: 'card_error', code: 'payment_declined', decline_code: 'refused' } });
        expect(frame.root.querySelector('[role=alert]')?.textContent).toContain('The payment was declined.');
        frame.input('PayPal');
    });

    it('waits for a payer who comes back to the page', async () => {
        server.retrieved = [{ body: waits({ type: 'wait_screen_information' }) }, { body: waits({ type: 'wait_screen_information' }) }, { body: payment({ status: 'succeeded' }) }];
        const frame = await open();
        await vi.waitFor(() => expect(frame.text).toContain('Your payment was approved.'));
    });
});

describe('a saved method', () => {
    const card = { payment_token: 'token_1', payment_method: 'card', requires_cvv: true, card: { last4_digits: '4242', expiry_month: '10', expiry_year: '2035', card_network: 'Visa' } };
    const standard = { ...card, payment_token: 'token_2', requires_cvv: false, default_payment_method_set: true, card: { ...card.card, last4_digits: '1111' } };

    it('is offered first, the default before others, and pays with its code', async () => {
        server.saved = [card, standard];
        const frame = await open();
        const names = [...frame.root.querySelectorAll('.option')].map((option) => option.textContent);
        expect(names).toEqual(['Visa ending in 1111Valid until 10/35', 'Visa ending in 4242Valid until 10/35', 'Card']);
        await user.click(frame.input(/4242/));
        expect(await frame.confirm()).toMatchObject({ ok: false });
        await frame.types({ 'Security code': '123' });
        expect(await frame.confirm()).toMatchObject({ ok: true });
        const { browser_info: _, ...sent } = body() ?? {};
        expect(sent).toEqual({ client_secret: 'pay_1_secret_x', payment_method: 'card', payment_token: 'token_1', card_cvc: '123' });
    });

    it('whose token has ended is listed again', async () => {
        server.saved = [standard];
        server.confirmed = [refused(422, 'IR_29'), { body: payment({ status: 'succeeded' }) }];
        const frame = await open();
        server.saved = [{ ...standard, payment_token: 'token_3' }];
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'IR_29' } });
        expect(await frame.confirm()).toMatchObject({ ok: true });
        expect(body()?.['payment_token']).toBe('token_3');
    });

    it('that is an account is debited with a mandate', async () => {
        server.saved = [{ payment_token: 'token_4', payment_method: 'bank_debit', payment_method_type: 'sepa', requires_cvv: false, bank: { mask: '•••3000' } }];
        server.confirmed = [{ body: payment({ status: 'processing', payment_method: 'bank_debit' }) }];
        const frame = await open();
        await user.click(frame.input('I agree to this mandate.'));
        await frame.confirm();
        expect(body()).toMatchObject({ payment_token: 'token_4', customer_acceptance: { acceptance_type: 'online' } });
    });
});
