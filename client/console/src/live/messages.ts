import type { QueryKey } from '@tanstack/react-query';
import type { Frame } from './frames.ts';

/** A message of the stream: one object has changed, or anything may have. */
export type Message = { kind: 'change'; eventClass: string; objectId: string } | { kind: 'reset' };

/** The reads that show objects of a class of events, by the beginning of their key. */
export const SHOWS: Readonly<Record<string, readonly string[]>> = {
    payments: ['payments', 'payment', 'links', 'home', 'events', 'requests'],
    refunds: ['refunds', 'payments', 'payment', 'home', 'events'],
    disputes: ['disputes', 'dispute', 'payments', 'payment', 'home', 'events'],
    mandates: ['customer', 'events'],
    subscriptions: ['subscriptions', 'subscription', 'events'],
};

const ALL: ReadonlySet<string> = new Set(Object.values(SHOWS).flat());

/** The read of one object, by the class of its events. */
const OWN: Readonly<Record<string, string>> = { payments: 'payment', disputes: 'dispute', subscriptions: 'subscription' };

/** Returns the message of a frame; undefined if this version doesn't know it. */
export function messageOf(frame: Frame): Message | undefined {
    if (frame.event === 'reset') return { kind: 'reset' };
    if (frame.event !== 'change') return undefined;
    try {
        const { event_class: eventClass, object_id: objectId } = JSON.parse(frame.data) as Record<string, unknown>;
        return typeof eventClass === 'string' && typeof objectId === 'string' ? { kind: 'change', eventClass, objectId } : undefined;
    } catch {
        return undefined;
    }
}

/** Returns whether a read may show something else after these messages. Its key begins with merchant account and profile. */
export function isStale(key: QueryKey, messages: readonly Message[]): boolean {
    const [, , name, id] = key;
    if (typeof name !== 'string') return false;
    return messages.some((one) => {
        if (one.kind === 'reset') return ALL.has(name);
        const isOther = OWN[one.eventClass] === name && typeof id === 'string' && id !== one.objectId;
        return !isOther && (SHOWS[one.eventClass] ?? []).includes(name);
    });
}
