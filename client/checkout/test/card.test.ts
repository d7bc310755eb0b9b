// A payer with a card, from the form to every outcome.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '../src/frame/clock.ts';
import { open, user } from './frame.ts';
import { PROFILE, SECRET, Server, payment, refused } from './server.ts';

let server: Server;
beforeEach(() => {
    server = new Server();
});

describe('a card', () => {
    it('is charged with what the payer has typed, and the page learns no number', async () => {
        const paid = payment({ status: 'succeeded', payment_method: 'card', billing: { address: { first_name: 'Ada' } } });
        server.confirmed = [{ body: { ...paid, client_secret: SECRET } }];
        const frame = await open();
        await frame.typesCard({ 'Name on card (optional)': 'Ada Reader' });
        expect(frame.of('change').at(-1)).toEqual({ type: 'change', complete: true, empty: false, value: { type: 'card' } });
        const answer = await frame.confirm({ returnUrl: 'https://shop.example/thanks' });
        expect(answer).toMatchObject({ ok: true, value: { payment: { payment_id: 'pay_1', status: 'succeeded' } } });
        const [confirm] = server.confirms;
        expect(confirm?.path).toBe('/payments/pay_1/confirm');
        expect(confirm?.headers.get('api-key')).toBe('pk_snd_1');
        expect(confirm?.body).toMatchObject({
            client_secret: SECRET,
            payment_method: 'card',
            payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '35', card_cvc: '123', card_holder_name: 'Ada Reader' } },
            return_url: 'https://shop.example/thanks',
            browser_info: { java_script_enabled: true },
        });
        expect(frame.text).toContain('Your payment was approved.');
        const heard = JSON.stringify([frame.notices, answer]);
        expect(heard).not.toMatch(/4242|"123"|Ada|_secret_/);
    });

    it('tells its faults beside its fields, and only then sends', async () => {
        const frame = await open();
        const empty = await frame.confirm();
        expect(empty).toMatchObject({ ok: false, error: { type: 'validation_error', code: 'incomplete_fields', message: 'Please check the marked fields.' } });
        expect(document.activeElement).toBe(frame.input('Card number'));
        expect(frame.fault('Security code')).toBe('Enter the 3 digits of the security code.');
        expect(frame.input('Card number').getAttribute('aria-invalid')).toBe('true');
        await frame.typesCard({ 'Card number': '4242424242424241', 'Expiry (MM/YY)': '0120', 'Security code': '12' });
        expect(await frame.ask({ type: 'submit' })).toMatchObject({ ok: false });
        expect(frame.fault('Card number')).toBe('Enter the card number as it stands on the card.');
        expect(frame.fault('Expiry (MM/YY)')).toBe('This card has expired.');
        expect(frame.fault('Security code')).toBe('Enter the 3 digits of the security code.');
        expect(server.confirms).toEqual([]);
        await user.type(frame.input('Card number'), '{backspace}2');
        expect(frame.fault('Card number')).toBe('');
    });

    it('is laid out while it is typed', async () => {
        const frame = await open();
        await user.type(frame.input('Card number'), '378282246310005');
        expect(frame.input('Card number').value).toBe('3782 822463 10005');
        expect(frame.root.querySelector('.network')?.textContent).toBe('American Express');
        await user.type(frame.input('Expiry (MM/YY)'), '935');
        expect(frame.input('Expiry (MM/YY)').value).toBe('09 / 35');
        await user.type(frame.input('Security code'), '123');
        await frame.ask({ type: 'submit' });
        expect(frame.fault('Security code')).toBe('Enter the 4 digits of the security code.');
        for (let erased = 0; erased < 4; erased += 1) await user.type(frame.input('Expiry (MM/YY)'), '{backspace}');
        expect(frame.input('Expiry (MM/YY)').value.length).toBeLessThan(4);
    });

    it('that is declined can be tried again, or another one', async () => {
        server.confirmed = [
            { body: payment({ status: 'failed', payment_method: 'card', error_code: 'DC_08', manual_retry_allowed: true }) },
            { body: payment({ status: 'succeeded', payment_method: 'card' }) },
        ];
        const frame = await open();
        await frame.typesCard();
        const declined = await frame.confirm();
        expect(declined).toMatchObject({ ok: false, error: { type: 'card_error', code: 'card_declined', decline_code: 'DC_08', payment: { status: 'failed' } } });
        expect(frame.root.querySelector('[role=alert]')?.textContent).toBe('The payment was declined. No money was taken. You can try again, also with another card.');
        expect(frame.input('Card number').value).toBe('4242 4242 4242 4242');
        expect(frame.input('Security code').value).toBe('');
        await frame.types({ 'Security code': '321' });
        expect(await frame.confirm()).toMatchObject({ ok: true });
        const keys = server.confirms.map((call) => call.headers.get('idempotency-key'));
        expect(new Set(keys).size).toBe(2);
    });

    it('that is declined for good leaves no form', async () => {
        server.confirmed = [{ body: payment({ status: 'failed', payment_method: 'card', manual_retry_allowed: false }) }];
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { type: 'card_error' } });
        expect(frame.text).toContain('can’t be tried again');
        expect(frame.root.querySelector('input')).toBeNull();
    });

    it('is charged once, even if the server is away while it is sent', async () => {
        server.confirmed = ['unreachable', { status: 503, body: {} }, { body: payment({ status: 'succeeded' }) }];
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: true });
        const keys = server.confirms.map((call) => call.headers.get('idempotency-key'));
        expect(keys).toHaveLength(3);
        expect(new Set(keys).size).toBe(1);

        server.confirmed = ['unreachable'];
        const other = await open();
        await other.typesCard();
        expect(await other.confirm()).toMatchObject({ ok: false, error: { type: 'api_connection_error' } });
        expect(other.text).toContain('you will not pay twice');
        server.confirmed = [{ body: payment({ status: 'succeeded' }) }];
        expect(await other.confirm()).toMatchObject({ ok: true });
        expect(new Set(server.confirms.slice(3).map((call) => call.headers.get('idempotency-key'))).size).toBe(1);
    });

    it('is not confirmed twice at the same time', async () => {
        server.confirmed = [{ status: 503, body: {} }, { body: payment({ status: 'succeeded' }) }];
        const frame = await open();
        await frame.typesCard();
        clock.pause = () => new Promise((done) => setTimeout(done, 50));
        const [first, second] = await Promise.all([frame.confirm(), frame.confirm()]);
        expect(first).toMatchObject({ ok: true });
        expect(second).toMatchObject({ ok: false, error: { code: 'confirmation_in_progress' } });
        expect(new Set(server.confirms.map((call) => call.headers.get('idempotency-key'))).size).toBe(1);
    });

    it('may need its bank: the page is told the address', async () => {
        const next_action = { type: 'redirect_to_url', redirect_to_url: 'https://pay.example/payments/visit_1' };
        server.confirmed = [{ body: payment({ status: 'requires_customer_action', payment_method: 'card', next_action }) }];
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: true, value: { payment: { status: 'requires_customer_action', next_action } } });
        // A payer who comes back to this page can go on.
        await user.click(frame.button('Go on to the bank'));
        expect((await vi.waitUntil(() => frame.of('redirect')[0])).url).toBe(next_action.redirect_to_url);
    });

    it('whose processor wants data of the device goes on without them', async () => {
        server.confirmed = [{ body: payment({ status: 'requires_customer_action', payment_method: 'card', next_action: { type: 'three_ds_invoke' } }) }];
        server.completed = [{ body: payment({ status: 'succeeded', payment_method: 'card' }) }];
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: true, value: { payment: { status: 'succeeded' } } });
        expect(server.of('POST', '/complete_authorize')[0]?.body).toEqual({ client_secret: SECRET, threeds_method_comp_ind: 'U' });
    });

    it('whose processor keeps asking for them is undecided after a minute, and its outcome is shown', async () => {
        const asks = payment({ status: 'requires_customer_action', payment_method: 'card', next_action: { type: 'three_ds_invoke' } });
        server.confirmed = [{ body: asks }];
        server.completed = [{ body: asks }];
        const frame = await open();
        server.retrieved = [{ body: asks }];
        const waits: number[] = [];
        clock.pause = (wait) => {
            waits.push(wait);
            return new Promise((done) => setTimeout(done, 1));
        };
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: true, value: { payment: { status: 'requires_customer_action' } } });
        expect(server.of('POST', '/complete_authorize')).toHaveLength(7);
        expect(waits.slice(0, 6).reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(60_000);
        expect(frame.text).toContain('is being processed');
        server.retrieved = [{ body: payment({ status: 'succeeded', payment_method: 'card' }) }];
        await vi.waitFor(() => expect(frame.text).toContain('Your payment was approved.'));
    });

    it('whose payer has gone on elsewhere meanwhile is read again', async () => {
        server.confirmed = [{ body: payment({ status: 'requires_customer_action', payment_method: 'card', next_action: { type: 'three_ds_invoke' } }) }];
        server.completed = [refused(400, 'IR_16')];
        const frame = await open();
        server.retrieved = [{ body: payment({ status: 'succeeded', payment_method: 'card' }) }];
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: true, value: { payment: { status: 'succeeded' } } });
    });

    it('whose payer comes back while the server is away can be tried again', async () => {
        server.retrieved = [{ body: payment({ status: 'requires_customer_action', payment_method: 'card', next_action: { type: 'three_ds_invoke' } }) }];
        server.completed = ['unreachable'];
        const frame = await open();
        await vi.waitFor(() => expect(frame.text).toContain('The payment form can’t be reached'));
        server.completed = [{ body: payment({ status: 'succeeded', payment_method: 'card' }) }];
        await user.click(frame.button('Try again'));
        await vi.waitFor(() => expect(frame.text).toContain('Your payment was approved.'));
    });

    it('whose processor is slow is asked for, and stays undecided only for a while', async () => {
        const processing = payment({ status: 'processing', payment_method: 'card' });
        server.confirmed = [{ body: processing }];
        const frame = await open();
        server.retrieved = [{ body: processing }, { body: payment({ status: 'succeeded', payment_method: 'card' }) }];
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: true, value: { payment: { status: 'succeeded' } } });
        expect(server.of('GET', '/payments/pay_1').at(-1)?.query.get('force_sync')).toBe('true');
    });

    it('shows a refusal beside the member that it names', async () => {
        server.confirmed = [refused(400, 'IR_06', 'payment_method_data.card.card_number is not a number of a card')];
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { type: 'validation_error', code: 'invalid_field' } });
        expect(frame.fault('Card number')).not.toBe('');
        expect(document.activeElement).toBe(frame.input('Card number'));
    });

    it('is saved with the payer’s consent if the shop charges it later', async () => {
        server.retrieved = [{ body: payment({ setup_future_usage: 'off_session' }) }];
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { type: 'validation_error' } });
        await user.click(frame.input(/I allow the shop/));
        expect(await frame.confirm()).toMatchObject({ ok: true });
        expect(server.confirms[0]?.body['customer_acceptance']).toEqual({ acceptance_type: 'online' });
    });

    it('is saved for the next purchase, which its payer is told', async () => {
        server.retrieved = [{ body: payment({ setup_future_usage: 'on_session' }) }];
        expect((await open()).text).toContain('This card is saved for your next purchase');
    });
});

describe('a payment that this frame must not open', () => {
    it('of another profile shows nothing of it, and nothing is sent', async () => {
        server.retrieved = [{ body: payment({ profile_id: 'pro_2' }) }];
        const frame = await open();
        expect(frame.of('loaderror')[0]?.error).toMatchObject({ type: 'invalid_request_error', code: 'other_profile' });
        expect(frame.text).toContain('It belongs to another shop.');
        expect(frame.root.querySelector('input')).toBeNull();
        for (const type of ['retrieve', 'nextAction']) {
            const answer = await frame.ask({ type, clientSecret: SECRET });
            expect(answer).toMatchObject({ ok: false, error: { code: 'other_profile' } });
            expect(JSON.stringify(answer)).not.toContain('6540');
        }
        expect(await frame.confirm()).toMatchObject({ ok: false });
        expect(server.calls.every((call) => call.method === 'GET' && call.path.endsWith('/payments/pay_1'))).toBe(true);
    });

    it('is refused as well if only the confirm names it', async () => {
        const frame = await open({ clientSecret: undefined, mode: 'payment', amount: 6540, currency: 'USD' } as never);
        await frame.typesCard();
        server.retrieved = [{ body: payment({ profile_id: 'pro_2' }) }];
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'other_profile' } });
        expect(server.confirms).toEqual([]);
    });

    it('is refused as well if an update names it', async () => {
        const frame = await open({ clientSecret: undefined, mode: 'payment', amount: 6540, currency: 'USD' } as never);
        await frame.typesCard();
        server.retrieved = [{ body: payment({ profile_id: 'pro_2' }) }];
        await frame.ask({ type: 'update', clientSecret: SECRET });
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'other_profile' } });
        expect(server.confirms).toEqual([]);
    });

    it('is refused if it is another than the one whose amount the payer has seen', async () => {
        const frame = await open();
        await frame.typesCard();
        expect(await frame.confirm({ clientSecret: 'pay_2_secret_y' })).toMatchObject({ ok: false, error: { code: 'client_secret_mismatch' } });
        expect(server.confirms).toEqual([]);
    });

    it('after its secret has ended says so', async () => {
        server.retrieved = [refused(400, 'IR_08')];
        const frame = await open();
        expect(frame.text).toContain('The time for this payment is over');
        expect(frame.of('loaderror')[0]?.error.code).toBe('client_secret_expired');

        server.retrieved = [{ body: payment() }];
        server.confirmed = [refused(400, 'IR_08')];
        const later = await open();
        await later.typesCard();
        expect(await later.confirm()).toMatchObject({ ok: false, error: { code: 'client_secret_expired' } });
        expect(later.text).toContain('No money was taken. Please go back to your cart');
    });

    it('without a server can be tried again', async () => {
        server.retrieved = ['unreachable'];
        const frame = await open();
        expect(frame.text).toContain('The payment form can’t be reached');
        server.retrieved = [{ body: payment() }];
        await user.click(frame.button('Try again'));
        await vi.waitFor(() => frame.input('Card number'));
    });

    it('that is paid already shows that', async () => {
        server.retrieved = [{ body: payment({ status: 'succeeded' }) }];
        const frame = await open();
        expect(frame.text).toContain('Your payment was approved.');
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'payment_unexpected_state' } });
    });

    it('with a wrong key says that the shop can’t take payments', async () => {
        server.retrieved = [refused(401, 'IR_01')];
        expect((await open()).of('loaderror')[0]?.error.code).toBe('key_invalid');
    });
});

describe('a checkout before its payment', () => {
    const before = { clientSecret: undefined, mode: 'payment', amount: 6540, currency: 'USD' } as never;

    it('checks the fields first, then takes the payment that the shop has created', async () => {
        const frame = await open(before);
        expect(server.calls).toEqual([]);
        expect(await frame.ask({ type: 'submit' })).toMatchObject({ ok: false, error: { type: 'validation_error' } });
        await frame.typesCard();
        expect(await frame.ask({ type: 'submit' })).toMatchObject({ ok: true });
        expect(await frame.confirm()).toMatchObject({ ok: true });
        expect(server.calls.map((call) => `${call.method} ${call.path}`)).toEqual(['GET /payments/pay_1', 'POST /payments/pay_1/confirm']);
    });

    it('charges no other amount and no other currency than the payer has seen', async () => {
        for (const changes of [{ amount: 99_999 }, { currency: 'EUR' }]) {
            server.retrieved = [{ body: payment(changes) }];
            const frame = await open(before);
            await frame.typesCard();
            expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'amount_mismatch' } });
        }
        expect(server.confirms).toEqual([]);
        server.retrieved = [{ body: payment({ amount: 7000, net_amount: 7000 }) }];
        const frame = await open(before);
        await frame.typesCard();
        await frame.ask({ type: 'update', amount: 7000 });
        expect(await frame.confirm()).toMatchObject({ ok: true });
    });

    it('shows a surcharge of the new payment before it is charged', async () => {
        server.retrieved = [{ body: payment({ net_amount: 6670, surcharge_details: { surcharge_amount: 130 } }) }];
        const frame = await open(before);
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { type: 'validation_error', code: 'review_required' } });
        expect(server.confirms).toEqual([]);
        expect(frame.text).toContain('A fee was added.');
        expect(frame.text).toContain('$66.70');
        expect(frame.input('Card number').value).toBe('4242 4242 4242 4242');
        server.retrieved = [{ body: payment({ net_amount: 9999, surcharge_details: { surcharge_amount: 3459 } }) }];
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'review_required' } });
        expect(await frame.confirm()).toMatchObject({ ok: true });
        expect(server.confirms).toHaveLength(1);
    });

    it('that only saves a card charges nothing', async () => {
        const saves = { clientSecret: undefined, mode: 'setup', currency: 'USD' } as never;
        server.retrieved = [{ body: payment({ setup_future_usage: 'on_session' }) }];
        const frame = await open(saves);
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'amount_mismatch' } });
        server.retrieved = [{ body: payment({ amount: 0, net_amount: 0, setup_future_usage: 'on_session' }) }];
        expect(await frame.confirm()).toMatchObject({ ok: true });
        expect(server.confirms).toHaveLength(1);
    });

    it('asks for the consent that the new payment needs', async () => {
        server.retrieved = [{ body: payment({ setup_future_usage: 'off_session' }) }];
        const frame = await open(before);
        await frame.typesCard();
        expect(await frame.confirm()).toMatchObject({ ok: false, error: { code: 'consent_required' } });
        expect(frame.input('Card number').value).toBe('4242 4242 4242 4242');
        await user.click(frame.input(/I allow the shop/));
        expect(await frame.confirm()).toMatchObject({ ok: true });
    });
});

describe('the frame', () => {
    it('tells test mode, and only there', async () => {
        expect((await open()).text).toContain('Test mode: no money moves');
        expect((await open({}, 'live')).text).not.toContain('Test mode');
    });

    it('changes its language without losing what was typed', async () => {
        const frame = await open();
        await frame.typesCard();
        await frame.ask({ type: 'update', locale: 'de' });
        expect(document.documentElement.lang).toBe('de');
        expect(frame.input('Kartennummer').value).toBe('4242 4242 4242 4242');
    });

    it('takes colours and lengths, and nothing else, from the shop', async () => {
        await open({ appearance: { theme: 'dark', variables: { colorPrimary: '#ffdc00', borderRadius: '12px', colorText: 'url(https://evil.example)', fontSizeBase: '400px' } } });
        const { style } = document.documentElement;
        expect(document.documentElement.getAttribute('data-theme')).toBe('dark');
        expect(style.getPropertyValue('--primary')).toBe('#ffdc00');
        expect(style.getPropertyValue('--on-primary')).toBe('#000000');
        expect(style.getPropertyValue('--radius')).toBe('12px');
        expect(style.getPropertyValue('--text')).toBe('');
        expect(style.getPropertyValue('--font-size')).toBe('');
    });

    it('fills in what the shop knows, focuses, clears, and tells the focus', async () => {
        const frame = await open({ defaultValues: { billingDetails: { name: 'Ada Reader' } } });
        expect(frame.input('Name on card (optional)').value).toBe('Ada Reader');
        await frame.ask({ type: 'focus' });
        expect(document.activeElement).toBe(frame.input('Card number'));
        await frame.ask({ type: 'blur' });
        await vi.waitFor(() => expect([frame.of('focus').length, frame.of('blur').length]).toEqual([1, 1]));
        await frame.ask({ type: 'clear' });
        expect(frame.input('Name on card (optional)').value).toBe('');
    });

    it('without fields answers for a page that comes back', async () => {
        server.retrieved = [{ body: payment({ status: 'succeeded', profile_id: PROFILE }) }];
        const frame = await open({ surface: 'none', clientSecret: undefined } as never);
        expect(frame.root.childNodes).toHaveLength(0);
        expect(await frame.ask({ type: 'retrieve', clientSecret: SECRET })).toMatchObject({ ok: true, value: { payment: { status: 'succeeded' } } });
    });
});
