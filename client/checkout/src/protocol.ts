// The messages between the loader, on the shop's page, and the frame, on the checkout's origin. Both sides check each
// message before they use it: a message of another shape is ignored, and so is one that is too long.
import type { Appearance, CheckoutError, DefaultValues, ElementKind, Mode, Payment } from './types.ts';

/** The version of the protocol. A frame speaks to every loader that was ever released. */
export const VERSION = 1;

/** The most characters of one text, and of a whole message. */
const LONGEST_TEXT = 2048;
const LONGEST_MESSAGE = 20_000;

/** The surface of a frame: fields, or a hidden frame that only asks. */
export type Surface = ElementKind | 'none';

/** The data that the shop's page gives to a frame. */
export interface Setup {
    clientSecret?: string;
    mode?: Mode;
    amount?: number;
    currency?: string;
    appearance?: Appearance;
    locale?: string;
    defaultValues?: DefaultValues;
}

export interface Connect extends Setup {
    surface: Surface;
}

export type Request =
    | ({ type: 'update' } & Setup)
    | { type: 'submit' | 'focus' | 'blur' | 'clear' }
    | { type: 'confirm'; clientSecret: string; returnUrl?: string; redirect: 'always' | 'if_required' }
    | { type: 'nextAction' | 'retrieve'; clientSecret: string };

export type Notice =
    | { type: 'resize'; height: number }
    | { type: 'ready' | 'focus' | 'blur' }
    | { type: 'change'; complete: boolean; empty: boolean; value: { type: string } }
    | { type: 'loaderror'; error: CheckoutError }
    | { type: 'redirect'; url: string };

export type Answer = { id: number; ok: true; value: Answered } | { id: number; ok: false; error: CheckoutError };

/** The value of an answer: the payment, if the request was about one. */
export interface Answered {
    payment?: Payment;
}

type Members = Record<string, unknown>;

/** Returns the members of a plain object that isn't too large, else nothing. */
export function membersOf(data: unknown): Members | undefined {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
    return isWithin(data, { left: LONGEST_MESSAGE }, 6) ? (data as Members) : undefined;
}

function isWithin(value: unknown, room: { left: number }, depth: number): boolean {
    room.left -= 8;
    if (room.left < 0 || depth < 0) return false;
    if (typeof value === 'string') {
        room.left -= value.length;
        return value.length <= LONGEST_TEXT && room.left >= 0;
    }
    if (typeof value !== 'object' || value === null) return ['number', 'boolean', 'undefined'].includes(typeof value) || value === null;
    return Object.entries(value).every(([name, inner]) => isWithin(name, room, depth) && isWithin(inner, room, depth - 1));
}

export const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT ? value : undefined);
const count = (value: unknown): number | undefined => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined);
const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined => words.find((word) => word === value);
const object = (value: unknown): Members | undefined => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined);

/** Returns whether a message is the greeting of a frame. */
export function isHello(data: unknown): boolean {
    const members = membersOf(data);
    return members?.['multirail'] === VERSION && members['type'] === 'hello';
}

/** Reads the members that a page may set. Members of another type are left out. */
function readSetup(members: Members): Setup {
    const appearance = object(members['appearance']);
    const variables = object(appearance?.['variables']);
    const texts = (from: Members | undefined) => Object.fromEntries(Object.entries(from ?? {}).filter(([, value]) => text(value)));
    const setup: Setup = {};
    const clientSecret = text(members['clientSecret']);
    if (clientSecret) setup.clientSecret = clientSecret;
    const mode = oneOf(['payment', 'setup'] as const, members['mode']);
    if (mode) setup.mode = mode;
    const amount = count(members['amount']);
    if (amount !== undefined) setup.amount = amount;
    const currency = text(members['currency']);
    if (currency && /^[A-Za-z]{3}$/.test(currency)) setup.currency = currency.toUpperCase();
    const locale = text(members['locale']);
    if (locale && /^[A-Za-z0-9-]{1,35}$/.test(locale)) setup.locale = locale;
    if (appearance) {
        const theme = oneOf(['light', 'dark', 'auto'] as const, appearance['theme']);
        setup.appearance = { ...(theme && { theme }), ...(variables && { variables: texts(variables) }) };
    }
    const billing = object(object(members['defaultValues'])?.['billingDetails']);
    if (billing) {
        const address = object(billing['address']);
        setup.defaultValues = { billingDetails: { ...texts(billing), ...(address && { address: texts(address) }) } };
    }
    return setup;
}

/** Reads the message by which a page connects, or returns nothing. */
export function readConnect(data: unknown): Connect | undefined {
    const members = membersOf(data);
    if (members?.['multirail'] !== VERSION || members['type'] !== 'connect') return undefined;
    const surface = oneOf(['payment', 'card', 'none'] as const, members['surface']);
    return surface && { surface, ...readSetup(members) };
}

/** Reads a request of the loader with its number, or returns nothing. */
export function readRequest(data: unknown): { id: number; request: Request } | undefined {
    const members = membersOf(data);
    const id = count(members?.['id']);
    if (!members || id === undefined) return undefined;
    const clientSecret = text(members['clientSecret']);
    switch (members['type']) {
        case 'update':
            return { id, request: { type: 'update', ...readSetup(members) } };
        case 'submit':
        case 'focus':
        case 'blur':
        case 'clear':
            return { id, request: { type: members['type'] } };
        case 'nextAction':
        case 'retrieve':
            return clientSecret ? { id, request: { type: members['type'], clientSecret } } : undefined;
        case 'confirm': {
            const redirect = oneOf(['always', 'if_required'] as const, members['redirect']);
            if (!clientSecret || !redirect) return undefined;
            const returnUrl = text(members['returnUrl']);
            return { id, request: { type: 'confirm', clientSecret, redirect, ...(returnUrl && { returnUrl }) } };
        }
        default:
            return undefined;
    }
}

function readError(value: unknown): CheckoutError | undefined {
    const members = object(value);
    return members && text(members['type']) && text(members['code']) && typeof members['message'] === 'string' ? (value as CheckoutError) : undefined;
}

/** Reads an answer of the frame, or returns nothing. */
export function readAnswer(data: unknown): Answer | undefined {
    const members = membersOf(data);
    const id = count(members?.['id']);
    if (!members || id === undefined) return undefined;
    const error = readError(members['error']);
    if (members['ok'] === false) return error && { id, ok: false, error };
    const value = object(members['value']);
    return members['ok'] === true && value ? { id, ok: true, value } : undefined;
}

/** Reads a notice of the frame, or returns nothing. */
export function readNotice(data: unknown): Notice | undefined {
    const members = membersOf(data);
    if (!members || 'id' in members) return undefined;
    const { type } = members as { type?: unknown };
    switch (type) {
        case 'ready':
        case 'focus':
        case 'blur':
            return { type };
        case 'resize': {
            const height = count(members['height']);
            return height === undefined ? undefined : { type, height: Math.min(height, 10_000) };
        }
        case 'change': {
            const method = text(object(members['value'])?.['type']);
            return method ? { type, complete: members['complete'] === true, empty: members['empty'] === true, value: { type: method } } : undefined;
        }
        case 'loaderror': {
            const error = readError(members['error']);
            return error && { type, error };
        }
        case 'redirect': {
            const url = text(members['url']);
            return url ? { type, url } : undefined;
        }
        default:
            return undefined;
    }
}
