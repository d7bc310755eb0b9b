import { Client, type Fetch } from 'multirail';
import { clock } from './clock.ts';

/** The path below which the server takes the session's cookie. */
const API = '/console/api';

/** The calls that take a proof. Their 401 means that the proof is wrong, not that the session has ended. */
const PROOFS = ['/user/console/session', '/user/oidc/link'];

type Listener = () => void;
const ended = new Set<Listener>();

/** Calls a function when the server says that the session has ended. The returned function cancels that. */
export function onSessionEnd(listener: Listener): () => void {
    ended.add(listener);
    return () => ended.delete(listener);
}

/** Sends a request with the session's cookie to this origin only. The cookie itself is out of reach for scripts. */
export const sendWithSession: Fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    const method = init.method ?? 'GET';
    // The server refuses changes without this header, because other sites can't send it.
    if (method !== 'GET' && !headers.has('content-type')) headers.set('content-type', 'application/json');
    const response = await fetch(url, { ...init, headers, credentials: 'same-origin', mode: 'same-origin', redirect: 'error', cache: 'no-store' });
    clock.takeDate(response.headers.get('date'));
    if (response.status === 401 && !PROOFS.some((path) => url.includes(path))) await tellEnd(response.clone());
    return response;
};

/** Opens the stream of changes, after the event with this id. */
export function openChanges(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    return sendWithSession(`${window.location.origin}${API}/user/changes`, { headers, signal });
}

async function tellEnd(response: Response): Promise<void> {
    const body: unknown = await response.json().catch(() => null);
    if ((body as { code?: unknown } | null)?.code !== 'IR_17') return;
    for (const listener of ended) listener();
}

/** Returns a client for the console's own origin, limited to a profile if one is given. */
export function sessionClient(profileId?: string): Client {
    return new Client({
        baseUrl: window.location.origin + API,
        fetch: sendWithSession,
        timeout: 30_000,
        ...(profileId ? { profileId } : {}),
    });
}
