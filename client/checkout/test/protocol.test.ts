// The greeting and the messages: the frame talks with one page that is allowed to hold it, and with nobody else.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { allowedOrigins, awaitPage } from '../src/frame/connect.ts';
import type { Connect } from '../src/protocol.ts';
import { isHello, readAnswer, readConnect, readNotice, readRequest } from '../src/protocol.ts';
import { meta } from './frame.ts';

const SHOP = 'https://shop.example';
const CONNECT = { multirail: 1, type: 'connect', surface: 'payment', clientSecret: 'pay_1_secret_x' };

/** Tells the frame a message, as a page with this origin would. */
function told(data: unknown, from: Partial<{ origin: string; source: unknown; ports: MessagePort[] }> = {}): void {
    const ports = from.ports ?? [new MessageChannel().port2];
    const event = new MessageEvent('message', { data, origin: from.origin ?? SHOP });
    // The constructor takes neither a foreign window nor Node's ports.
    Object.defineProperty(event, 'source', { value: 'source' in from ? from.source : window.parent });
    Object.defineProperty(event, 'ports', { value: ports });
    window.dispatchEvent(event);
}

describe('the greeting', () => {
    const taken: Connect[] = [];
    beforeEach(() => {
        taken.length = 0;
        document.head.replaceChildren();
        meta('multirail-mode', 'live');
        meta('multirail-origins', JSON.stringify([SHOP, 'https://www.shop.example']));
    });
    const greet = () => {
        const post = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => {});
        awaitPage((connect) => taken.push(connect));
        const greetings = post.mock.calls.map((call) => [...call] as unknown[]);
        post.mockRestore();
        return greetings;
    };

    it('goes to the allowed origins only, and holds nothing secret', () => {
        expect(greet()).toEqual([
            [{ multirail: 1, type: 'hello' }, SHOP],
            [{ multirail: 1, type: 'hello' }, 'https://www.shop.example'],
        ]);
        told(CONNECT);
    });

    it('is answered by an allowed page, once', () => {
        greet();
        told(CONNECT);
        told({ ...CONNECT, clientSecret: 'pay_2_secret_y' });
        expect(taken).toEqual([{ surface: 'payment', clientSecret: 'pay_1_secret_x' }]);
    });

    it('is not answered by a foreign origin, another window, or without exactly one port', () => {
        greet();
        told(CONNECT, { origin: 'https://evil.example' });
        told(CONNECT, { origin: 'null' });
        told(CONNECT, { origin: `${SHOP}.evil.example` });
        told(CONNECT, { source: {} });
        told(CONNECT, { source: null });
        told(CONNECT, { ports: [] });
        told(CONNECT, { ports: [new MessageChannel().port1, new MessageChannel().port1] });
        expect(taken).toEqual([]);
        told(CONNECT);
        expect(taken).toHaveLength(1);
    });

    it('is not answered by a message of another shape', () => {
        greet();
        for (const data of [null, 'connect', 7, [], {}, { ...CONNECT, multirail: 2 }, { ...CONNECT, type: 'hello' }, { ...CONNECT, surface: 'express' }, { ...CONNECT, clientSecret: 'x'.repeat(3000) }]) {
            told(data);
        }
        expect(taken).toEqual([]);
        told(CONNECT);
    });

    it('allows any page in test mode only', () => {
        const withOrigins = (origins: string, mode: string) => {
            document.head.replaceChildren();
            meta('multirail-mode', mode);
            meta('multirail-origins', origins);
            return allowedOrigins();
        };
        expect(withOrigins('["*"]', 'test')).toEqual(['*']);
        expect(withOrigins('["*"]', 'live')).toEqual([]);
        expect(withOrigins('{"*":1}', 'test')).toEqual([]);
        expect(withOrigins('not JSON', 'test')).toEqual([]);
        document.head.replaceChildren();
        expect(allowedOrigins()).toEqual([]);
    });
});

describe('a message', () => {
    it('keeps only members that a page may set', () => {
        const connect = {
            ...CONNECT,
            amount: 6540,
            currency: 'usd',
            mode: 'theft',
            locale: 'de-CH',
            appearance: { theme: 'dark', variables: { colorPrimary: '#123456', fontSizeBase: 7 }, css: 'body{}' },
            defaultValues: { billingDetails: { name: 'Ada', phone: 7, address: { city: 'Paris' } } },
            __proto__: { evil: true },
            more: 'ignored',
        };
        expect(readConnect(connect)).toEqual({
            surface: 'payment',
            clientSecret: 'pay_1_secret_x',
            amount: 6540,
            currency: 'USD',
            locale: 'de-CH',
            appearance: { theme: 'dark', variables: { colorPrimary: '#123456' } },
            defaultValues: { billingDetails: { name: 'Ada', address: { city: 'Paris' } } },
        });
    });

    it('is ignored if it is too long, too deep or malformed', () => {
        const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as object;
        const long = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`m${place}`, 'x'.repeat(1000)]));
        for (const more of [deep, long]) expect(readRequest({ id: 1, type: 'submit', more })).toBeUndefined();
        for (const data of [{ id: 1 }, { type: 'submit' }, { id: -1, type: 'submit' }, { id: 1, type: 'steal' }, { id: 1, type: 'retrieve' }, { id: 1, type: 'retrieve', clientSecret: 7 }, { id: 1, type: 'confirm', clientSecret: 'x', redirect: 'never' }]) {
            expect(readRequest(data), JSON.stringify(data)).toBeUndefined();
        }
        expect(readRequest({ id: 1, type: 'confirm', clientSecret: 's', redirect: 'always', returnUrl: 'https://a' })?.request).toEqual({ type: 'confirm', clientSecret: 's', redirect: 'always', returnUrl: 'https://a' });
    });

    it('of the frame is read with the same care', () => {
        expect(isHello({ multirail: 1, type: 'hello' })).toBe(true);
        expect(isHello({ multirail: 2, type: 'hello' })).toBe(false);
        expect(readNotice({ type: 'resize', height: 1e9 })).toEqual({ type: 'resize', height: 10_000 });
        expect(readNotice({ type: 'resize', height: -1 })).toBeUndefined();
        expect(readNotice({ type: 'resize', height: 300 })).toEqual({ type: 'resize', height: 300 });
        expect(readNotice({ type: 'alert' })).toBeUndefined();
        expect(readAnswer({ id: 1, ok: true })).toBeUndefined();
        expect(readAnswer({ id: 1, ok: false, error: 'no' })).toBeUndefined();
        expect(readAnswer({ id: 1, ok: true, value: {} })).toEqual({ id: 1, ok: true, value: {} });
    });
});
