// The loader on a shop's page: its elements, its frames, and the way to a bank and back.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Checkout } from '../src/loader/checkout.ts';
import { LONGEST_LOAD } from '../src/loader/channel.ts';
import { defineElement } from '../src/loader/custom_element.ts';
import { page } from '../src/loader/navigation.ts';
import { isSafe } from '../src/addresses.ts';
import type { Elements, Payment } from '../src/types.ts';

const ORIGIN = 'https://pay.example';
const SECRET = 'pay_1_secret_x';
const PAID: Payment = { payment_id: 'pay_1', status: 'succeeded', amount: 6540, currency: 'USD' };

const open = (options = {}) => new Checkout('pk_snd_1', options, `${ORIGIN}/checkout/v1/frame`);

/** The other end of a frame on the page: it greets, and answers as a test wants. */
class Peer {
    readonly asked: Record<string, unknown>[] = [];
    readonly connects: unknown[][] = [];
    port: MessagePort | undefined;
    answer: (request: Record<string, unknown>) => object = () => ({ ok: true, value: { payment: PAID } });
    readonly frame: HTMLIFrameElement;

    constructor() {
        const frames = document.querySelectorAll('iframe');
        const frame = frames[frames.length - 1];
        if (!frame?.contentWindow) throw new Error('no frame on the page');
        this.frame = frame;
        frame.contentWindow.postMessage = (...call: unknown[]) => {
            this.connects.push(call);
            this.port = (call[2] as MessagePort[])[0];
            if (this.port) this.port.onmessage = ({ data }) => {
                this.asked.push(data);
                this.port?.postMessage({ id: data.id, ...this.answer(data) });
            };
        };
    }

    says(data: unknown, from: Partial<{ origin: string; source: unknown }> = {}): void {
        const event = new MessageEvent('message', { data, origin: from.origin ?? ORIGIN });
        Object.defineProperty(event, 'source', { value: 'source' in from ? from.source : this.frame.contentWindow });
        window.dispatchEvent(event);
    }

    greets(): this {
        this.says({ multirail: 1, type: 'hello' });
        return this;
    }
}

let went: string[];
beforeEach(() => {
    went = [];
    page.go = (address) => void went.push(address);
    document.body.append(Object.assign(document.createElement('div'), { id: 'place' }));
});
afterEach(() => vi.useRealTimers());

/** Mounts a payment element and connects it. */
function mounted(options: Parameters<Checkout['elements']>[0] = { clientSecret: SECRET }): { checkout: Checkout; elements: Elements; peer: Peer } {
    const checkout = open();
    const elements = checkout.elements(options);
    elements.create('payment').mount('#place');
    return { checkout, elements, peer: new Peer().greets() };
}

describe('a frame', () => {
    it('has key and profile in its address, a name for screen readers, and no secret', () => {
        open({ profile: 'pro_1', locale: 'de' }).elements({ clientSecret: SECRET }).create('payment').mount('#place');
        const { frame } = new Peer();
        expect(frame.src).toBe(`${ORIGIN}/checkout/v1/frame?key=pk_snd_1&profile=pro_1`);
        expect(frame.title).toBe('Sicheres Bezahlformular');
        expect(frame.getAttribute('allow')).toBe('');
    });

    it('is connected once, at the checkout’s origin, after its greeting', () => {
        const { peer } = mounted({ clientSecret: SECRET, appearance: { theme: 'dark' }, locale: 'de' });
        peer.greets();
        expect(peer.connects).toHaveLength(1);
        const [message, target, ports] = peer.connects[0] as [object, string, MessagePort[]];
        expect(message).toEqual({ multirail: 1, type: 'connect', surface: 'payment', clientSecret: SECRET, appearance: { theme: 'dark' }, locale: 'de' });
        expect(target).toBe(ORIGIN);
        expect(ports).toHaveLength(1);
    });

    it('is not connected by another window, another origin, or another message', () => {
        open().elements({ clientSecret: SECRET }).create('card').mount('#place');
        const peer = new Peer();
        const hello = { multirail: 1, type: 'hello' };
        peer.says(hello, { origin: 'https://evil.example' });
        peer.says(hello, { source: window });
        peer.says(hello, { source: null });
        peer.says({ multirail: 1, type: 'hi' });
        peer.says('hello');
        expect(peer.connects).toEqual([]);
        expect(peer.greets().connects).toHaveLength(1);
    });

    it('tells its height and its events; a forged one does nothing', async () => {
        const { elements, peer } = mounted();
        const element = elements.getElement('payment');
        const heard: unknown[] = [];
        for (const name of ['ready', 'change', 'focus', 'loaderror'] as const) element?.on(name, (event) => heard.push([name, event]));
        element?.once('ready', () => heard.push('once'));
        for (const notice of [{ type: 'resize', height: 412 }, { type: 'ready' }, { type: 'ready' }, { type: 'steal' }, { type: 'change', complete: true, empty: false, value: { type: 'card' } }]) peer.port?.postMessage(notice);
        peer.says({ type: 'change', complete: false, empty: true, value: { type: 'forged' } });
        await vi.waitFor(() => expect(heard).toHaveLength(4));
        expect(heard).toEqual([
            ['ready', { elementType: 'payment' }], 'once', ['ready', { elementType: 'payment' }],
            ['change', { elementType: 'payment', complete: true, empty: false, value: { type: 'card' } }],
        ]);
        expect(peer.frame.style.height).toBe('412px');
    });

    it('that doesn’t greet is told as an error', async () => {
        vi.useFakeTimers();
        const checkout = open({ locale: 'en' });
        const elements = checkout.elements({ clientSecret: SECRET });
        const errors: string[] = [];
        elements.create('payment').on('loaderror', ({ error }) => errors.push(error.code)).mount('#place');
        const submitted = elements.submit();
        vi.advanceTimersByTime(LONGEST_LOAD);
        expect(errors).toEqual(['frame_unreachable']);
        expect(await submitted).toMatchObject({ error: { type: 'api_connection_error', message: 'The payment form could not be loaded. Please load the page once more.' } });
    });

    it('that has loaded a page without a greeting is told sooner', () => {
        vi.useFakeTimers();
        const elements = open().elements({ clientSecret: SECRET });
        const errors: string[] = [];
        elements.create('payment').on('loaderror', ({ error }) => errors.push(error.code)).mount('#place');
        document.querySelector('iframe')?.dispatchEvent(new Event('load'));
        vi.advanceTimersByTime(4_000);
        expect(errors).toEqual(['frame_unreachable']);
    });

    it('is taken from the page with its element', () => {
        const { elements } = mounted();
        elements.getElement('payment')?.destroy();
        expect(document.querySelector('iframe')).toBeNull();
        expect(elements.getElement('payment')).toBeNull();
        elements.create('payment').mount(document.body);
        expect(document.querySelectorAll('iframe')).toHaveLength(1);
    });
});

describe('a confirm', () => {
    const back = { confirmParams: { return_url: 'https://shop.example/thanks?cart=7' } };

    it('answers here if the payer has to go nowhere', async () => {
        const { checkout, elements, peer } = mounted();
        expect(await checkout.confirmPayment({ elements, redirect: 'if_required' })).toEqual({ payment: PAID });
        expect(peer.asked).toEqual([{ id: 1, type: 'confirm', clientSecret: SECRET, redirect: 'if_required' }]);
        expect(went).toEqual([]);
    });

    it('goes to the shop after a success, by default, as a bank would', async () => {
        const { checkout, elements } = mounted();
        void checkout.confirmPayment({ elements, ...back });
        await vi.waitFor(() => expect(went).toEqual(['https://shop.example/thanks?cart=7&payment_id=pay_1&status=succeeded']));
    });

    it('goes to the bank that the payment names, if the address is safe', async () => {
        const { checkout, elements, peer } = mounted();
        const waits = (redirect_to_url: string) => ({ ok: true, value: { payment: { ...PAID, status: 'requires_customer_action', next_action: { type: 'redirect_to_url', redirect_to_url } } } });
        peer.answer = () => waits('https://pay.example/visit');
        void checkout.confirmPayment({ elements, redirect: 'if_required' });
        await vi.waitFor(() => expect(went).toEqual(['https://pay.example/visit']));
        peer.answer = () => waits('javascript:alert(1)');
        expect(await checkout.confirmPayment({ elements, redirect: 'if_required' })).toMatchObject({ error: { code: 'unsafe_redirect' } });
        peer.port?.postMessage({ type: 'redirect', url: 'javascript:alert(1)' });
        peer.port?.postMessage({ type: 'redirect', url: 'https://pay.example/again' });
        await vi.waitFor(() => expect(went).toEqual(['https://pay.example/visit', 'https://pay.example/again']));
    });

    it('answers with the payment as it is when a payer comes back to a page that the browser has kept', async () => {
        const { checkout, elements, peer } = mounted();
        const next_action = { type: 'redirect_to_url', redirect_to_url: 'https://pay.example/visit' };
        peer.answer = () => ({ ok: true, value: { payment: { ...PAID, status: 'requires_customer_action', next_action } } });
        const confirmed = checkout.confirmPayment({ elements, confirmParams: { return_url: 'https://shop.example/thanks' } });
        await vi.waitFor(() => expect(went).toEqual(['https://pay.example/visit']));
        peer.answer = () => ({ ok: true, value: { payment: { ...PAID, status: 'cancelled' } } });
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
        await Promise.resolve();
        expect(peer.asked.map((one) => one['type'])).toEqual(['confirm']);
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
        expect((await confirmed).payment?.status).toBe('cancelled');
        expect(peer.asked.map((one) => one['type'])).toEqual(['confirm', 'retrieve']);
    });

    it('answers a decline as an error', async () => {
        const { checkout, elements, peer } = mounted();
        const error = { type: 'card_error', code: 'card_declined', message: 'Declined.', decline_code: 'DC_08' };
        peer.answer = () => ({ ok: false, error });
        expect(await checkout.confirmPayment({ elements, ...back })).toEqual({ error });
        expect(went).toEqual([]);
    });

    it('of a checkout before its payment submits first', async () => {
        const { checkout, elements, peer } = mounted({ mode: 'payment', amount: 6540, currency: 'USD' });
        peer.answer = ({ type }) => (type === 'submit' ? { ok: false, error: { type: 'validation_error', code: 'incomplete_fields', message: 'Please check.' } } : { ok: true, value: { payment: PAID } });
        expect(await elements.submit()).toMatchObject({ error: { type: 'validation_error' } });
        peer.answer = () => ({ ok: true, value: { payment: PAID } });
        expect(await elements.submit()).toEqual({});
        elements.update({ amount: 7000 });
        await expect(checkout.confirmPayment({ elements, redirect: 'if_required' })).rejects.toThrow('clientSecret');
        expect(await checkout.confirmPayment({ elements, clientSecret: SECRET, redirect: 'if_required' })).toEqual({ payment: PAID });
        expect(peer.asked.map(({ type, amount }) => [type, amount])).toEqual([['submit', undefined], ['submit', undefined], ['update', 7000], ['confirm', undefined]]);
    });

    it('of a page that comes back is read by a frame without fields', async () => {
        const checkout = open();
        const retrieved = checkout.retrievePayment(SECRET);
        const peer = new Peer().greets();
        expect(peer.connects[0]?.[0]).toEqual({ multirail: 1, type: 'connect', surface: 'none' });
        expect(peer.frame.style.visibility).toBe('hidden');
        expect(await retrieved).toEqual({ payment: PAID });
        expect(await checkout.handleNextAction({ clientSecret: SECRET })).toEqual({ payment: PAID });
        expect(document.querySelectorAll('iframe')).toHaveLength(1);
    });
});

describe('a mistake of the shop’s page', () => {
    it('is an error for its author', async () => {
        expect(() => new Checkout('snd_secret', {}, ORIGIN)).toThrow('never a secret one');
        expect(() => open().elements({})).toThrow('clientSecret, or mode, amount and currency');
        expect(() => open().elements({ mode: 'payment', currency: 'USD' })).toThrow('mode, amount and currency');
        expect(() => open().elements({ mode: 'setup', currency: 'USD' })).not.toThrow();
        const checkout = open();
        const elements = checkout.elements({ clientSecret: SECRET });
        expect(() => elements.create('express' as never)).toThrow('no element express');
        const element = elements.create('payment');
        expect(() => elements.create('payment')).toThrow('already');
        expect(() => element.mount('#nowhere')).toThrow('#nowhere');
        expect(() => element.on('paid' as never, () => {})).toThrow('no event paid');
        await expect(checkout.confirmPayment({ elements })).rejects.toThrow('return_url');
        await expect(checkout.confirmPayment({ elements, confirmParams: { return_url: 'javascript:alert(1)' } })).rejects.toThrow('return_url');
        await expect(checkout.confirmPayment({ elements: {} as never })).rejects.toThrow('elements');
        await expect(checkout.confirmPayment({ elements, redirect: 'if_required' })).rejects.toThrow('mount');
    });

    it('leads nobody to an unsafe address', () => {
        const safe = ['https://bank.example/a', 'http://localhost:8080/a', 'http://127.0.0.1/a'];
        const unsafe = ['http://bank.example', 'javascript:alert(1)', 'data:text/html,x', '/a', '', 'http://localhost.evil.example'];
        expect([safe.filter(isSafe), unsafe.filter(isSafe)]).toEqual([safe, []]);
    });
});

describe('<multirail-checkout>', () => {
    const opened: unknown[][] = [];
    beforeEach(() => {
        opened.length = 0;
        defineElement((key, options = {}) => {
            opened.push([key, options]);
            return open(options);
        });
    });

    it('shows the fields and a button, and tells the payment', async () => {
        const element = document.createElement('multirail-checkout');
        for (const [name, value] of Object.entries({ 'publishable-key': 'pk_snd_1', 'client-secret': SECRET, profile: 'pro_1', locale: 'de' })) element.setAttribute(name, value);
        const heard: unknown[] = [];
        for (const name of ['payment', 'paymenterror']) element.addEventListener(name, (event) => heard.push([name, (event as CustomEvent).detail]));
        document.body.append(element);
        await vi.waitFor(() => new Peer());
        const peer = new Peer().greets();
        expect(opened).toEqual([['pk_snd_1', { profile: 'pro_1', locale: 'de' }]]);
        const button = element.querySelector('button');
        expect(button?.textContent).toBe('Bezahlen');

        peer.answer = () => ({ ok: false, error: { type: 'api_connection_error', code: 'unreachable', message: 'Nicht zu erreichen.' } });
        button?.click();
        await vi.waitFor(() => expect(element.querySelector('[role=alert]')?.textContent).toBe('Nicht zu erreichen.'));
        peer.answer = () => ({ ok: true, value: { payment: PAID } });
        button?.click();
        await vi.waitFor(() => expect(heard).toHaveLength(2));
        expect(heard).toEqual([['paymenterror', expect.objectContaining({ code: 'unreachable' })], ['payment', PAID]]);
        expect(element.querySelector('[role=alert]')?.textContent).toBe('');
        element.remove();
        expect(document.querySelector('iframe')).toBeNull();
    });

    it('keeps what was typed while its return address changes, and tells an address that is none', async () => {
        const element = document.createElement('multirail-checkout');
        for (const [name, value] of Object.entries({ 'publishable-key': 'pk_snd_1', 'client-secret': SECRET })) element.setAttribute(name, value);
        const heard: unknown[] = [];
        element.addEventListener('paymenterror', (event) => heard.push((event as CustomEvent).detail));
        document.body.append(element);
        await vi.waitFor(() => new Peer());
        const { frame } = new Peer().greets();
        element.setAttribute('return-url', 'javascript:alert(1)');
        await Promise.resolve();
        expect(document.querySelector('iframe')).toBe(frame);
        element.querySelector('button')?.click();
        await vi.waitFor(() => expect(heard).toMatchObject([{ type: 'invalid_request_error', code: 'wrong_use', message: expect.stringContaining('return_url') }]));
        expect(element.querySelector('[role=alert]')?.textContent).not.toBe('');
        expect(element.querySelector('button')?.hasAttribute('aria-disabled')).toBe(false);
        expect(went).toEqual([]);
    });

    it('waits for its secret, and pays with the shop’s own button', async () => {
        const element = document.createElement('multirail-checkout');
        const own = document.createElement('button');
        own.textContent = 'Buy now';
        element.append(own);
        element.setAttribute('publishable-key', 'pk_snd_1');
        element.setAttribute('return-url', 'https://shop.example/thanks');
        document.body.append(element);
        await Promise.resolve();
        expect(document.querySelector('iframe')).toBeNull();
        element.setAttribute('client-secret', SECRET);
        await vi.waitFor(() => new Peer());
        new Peer().greets();
        expect(element.querySelectorAll('button')).toHaveLength(1);
        own.click();
        await vi.waitFor(() => expect(went).toEqual(['https://shop.example/thanks?payment_id=pay_1&status=succeeded']));
    });
});
