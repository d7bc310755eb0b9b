// The addresses to which a payer may be sent.
import type { Payment } from './types.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns whether the payer may be sent to an address that the server named: https, or http on this machine. */
export function isSafe(address: string): boolean {
    const url = parsed(address);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

/** Returns the address of the shop with the payment, as it comes back from a bank; nothing for one that isn't http. */
export function returnAddress(address: string, payment: Payment | undefined): string | undefined {
    const url = parsed(address);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
    if (payment) {
        url.searchParams.set('payment_id', payment.payment_id);
        url.searchParams.set('status', payment.status);
    }
    return url.href;
}

function parsed(address: string): URL | undefined {
    try {
        return new URL(address);
    } catch {
        return undefined;
    }
}
