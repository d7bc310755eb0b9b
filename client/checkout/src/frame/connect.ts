// The greeting of the frame: it talks with the one page that holds it, if that page is allowed to.
import type { Connect } from '../protocol.ts';
import { VERSION, readConnect } from '../protocol.ts';
import { metaOf } from './dom.ts';

/** The origins that may hold this frame. `*` stands for any, and only in test mode. */
export function allowedOrigins(): string[] {
    try {
        const origins: unknown = JSON.parse(metaOf('multirail-origins') ?? '[]');
        if (!Array.isArray(origins)) return [];
        const isTest = metaOf('multirail-mode') === 'test';
        return origins.filter((origin): origin is string => typeof origin === 'string' && (origin !== '*' || isTest));
    } catch {
        return [];
    }
}

/** Greets, and takes the first connection of an allowed page. Later ones are ignored. */
export function awaitPage(take: (connect: Connect, port: MessagePort) => void): void {
    const origins = allowedOrigins();
    const onMessage = (event: MessageEvent) => {
        if (event.source !== window.parent || !(origins.includes('*') || origins.includes(event.origin))) return;
        const connect = readConnect(event.data);
        const [port] = event.ports;
        if (!connect || !port || event.ports.length !== 1) return;
        window.removeEventListener('message', onMessage);
        take(connect, port);
    };
    window.addEventListener('message', onMessage);
    // The greeting holds nothing secret. A page at another origin doesn't get it. Where the browser names the page, no other
    // origin is tried, because each would be a warning in its log.
    const [holder] = window.location.ancestorOrigins ?? [];
    const targets = holder && origins.includes(holder) ? [holder] : origins;
    for (const origin of targets) window.parent.postMessage({ multirail: VERSION, type: 'hello' }, origin);
}
