import type { Client } from 'multirail';

/** The proofs by which a session begins. Exactly one is sent. */
export type Proof =
    | { password: { email: string; password: string } }
    | { second_step: { token: string; totp: string } | { token: string; recovery_code: string } }
    | { link: { token: string } }
    | { oidc: { state: string; code: string; iss?: string } }
    | { operator: { admin_api_key: string } };

/** The answer to a proof. */
export interface ConsoleSession {
    status: 'signed_in' | 'second_step_required';
    second_step_token: string | null;
    expires_at: string | null;
    /** The screen at which a sign-in with the identity provider was begun. */
    screen?: string;
}

/** Begins a session. Its token is a cookie that no script can read. */
export function beginSession(client: Client, proof: Proof): Promise<ConsoleSession> {
    return client.request({ operation: 'console_sessions_begin', method: 'POST', path: '/user/console/session', body: proof });
}

/**
 * Begins a sign-in with the identity provider, and returns the address of its page. A cookie that no script can read binds the
 * provider's answer to this browser.
 */
export async function beginAtProvider(client: Client): Promise<string> {
    const begun: { auth_url: string } = await client.request({
        operation: 'console_sessions_begin_oidc',
        method: 'POST',
        path: '/user/console/oidc',
        body: { screen: screenHere() },
    });
    return begun.auth_url;
}

/** The most characters of a screen's address that the server accepts. */
const LONGEST_SCREEN = 512;

/** Returns the address of the shown screen, without the console's own path. */
function screenHere(): string {
    const { pathname, search } = window.location;
    const screen = pathname.replace(/^\/console/, '') + search;
    return screen.startsWith('/') && screen.length <= LONGEST_SCREEN ? screen : '/';
}

/** The identity provider's answer, with which the browser came back: a proof, or the word for a refusal. */
export type ProviderAnswer = { proof: { state: string; code: string; iss?: string } } | { error: string };

/** Takes the identity provider's answer out of the address, so that no history and no screenshot keeps it. */
export function takeProviderAnswer(): ProviderAnswer | undefined {
    const { pathname, search } = window.location;
    if (pathname !== '/console/signed_in') return undefined;
    window.history.replaceState(null, '', '/console/');
    const given = new URLSearchParams(search);
    const [code, state, iss, error] = ['code', 'state', 'iss', 'error'].map((name) => given.get(name) ?? undefined);
    if (error !== undefined) return { error };
    if (code === undefined || state === undefined) return undefined;
    return { proof: { state, code, ...(iss === undefined ? {} : { iss }) } };
}

/** Continues in another merchant account. The former session ends. */
export function switchMerchant(client: Client, merchantId: string): Promise<ConsoleSession> {
    return client.request({
        operation: 'console_sessions_switch_merchant',
        method: 'POST',
        path: '/user/console/switch_merchant',
        body: { merchant_id: merchantId },
    });
}

/** Takes the token of a printed link out of the address, so that no history and no screenshot keeps it. */
export function takeLinkToken(): string | undefined {
    const { hash, pathname, search } = window.location;
    if (!hash.startsWith('#sign_in=')) return undefined;
    window.history.replaceState(null, '', pathname + search);
    const token = hash.slice('#sign_in='.length);
    try {
        return decodeURIComponent(token) || undefined;
    } catch {
        // The server refuses it, and the page says so.
        return token;
    }
}

/** The server as it describes itself before anybody has signed in. */
export interface ServerInfo {
    /** True if no real money moves. */
    sandbox: boolean;
    /** The address of the documentation. */
    documentation: string | undefined;
}

/** Reads the server's description of itself. */
export async function serverInfo(): Promise<ServerInfo> {
    const response = await fetch('/', { headers: { accept: 'application/json' }, credentials: 'omit' });
    if (!response.ok) throw new TypeError(`the server answered ${response.status}`);
    const { sandbox, documentation } = (await response.json()) as { sandbox?: unknown; documentation?: unknown };
    return { sandbox: sandbox === true, documentation: safeLink(documentation) };
}

/** Returns a link if it leads to a web page. */
function safeLink(value: unknown): string | undefined {
    if (typeof value !== 'string') return undefined;
    try {
        const url = new URL(value, window.location.origin);
        return /^https?:$/.test(url.protocol) ? url.href : undefined;
    } catch {
        return undefined;
    }
}
