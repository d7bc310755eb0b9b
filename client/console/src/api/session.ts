import type { Client } from 'multirail';

/** The proofs by which a session begins. Exactly one is sent. */
export type Proof =
    | { password: { email: string; password: string } }
    | { second_step: { token: string; totp: string } | { token: string; recovery_code: string } }
    | { link: { token: string } };

/** The answer to a proof. */
export interface ConsoleSession {
    status: 'signed_in' | 'second_step_required';
    second_step_token: string | null;
    expires_at: string | null;
}

/** Begins a session. Its token is a cookie that no script can read. */
export function beginSession(client: Client, proof: Proof): Promise<ConsoleSession> {
    return client.request({ operation: 'console_sessions_begin', method: 'POST', path: '/user/console/session', body: proof });
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
    return decodeURIComponent(hash.slice('#sign_in='.length)) || undefined;
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
