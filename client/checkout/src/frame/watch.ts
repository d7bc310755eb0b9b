// The payment while others decide about it: its payer elsewhere, a bank, or a processor.
import type { Api, Payment } from './api.ts';
import { Refusal } from './api.ts';
import { clock } from './clock.ts';
import { hasEnded, hasMoved } from './outcomes.ts';

/** The frame asks for a payment this long. Then the payer may let it go on. */
const LONGEST_WATCH = 900_000;
/** The waits while a card's processor decides, after which the page learns that the payment is being processed. */
const DECIDING = [1000, 2000, 3000, 5000];

/** Waits a little while a card's processor decides. Other methods take longer than a payer waits. */
export async function decide(api: Api, secret: string, payment: Payment): Promise<Payment | undefined> {
    if (payment.payment_method !== 'card') return undefined;
    for (const wait of DECIDING) {
        await clock.pause(wait);
        const next = await api.retrieve(secret, true).catch(() => undefined);
        if (next && next.status !== payment.status) return next;
    }
    return undefined;
}

/** Asks until the payment has changed, the secret or the time has ended, or another view is shown: then it is as before. */
export async function watch(api: Api, secret: string, payment: Payment, isShown: () => boolean): Promise<Payment | 'paused' | 'ended'> {
    const end = clock.now() + LONGEST_WATCH;
    for (let wait = 2000; clock.now() < end; wait = Math.min(wait * 1.5, 15_000)) {
        await clock.pause(wait);
        await clock.seen();
        if (!isShown()) return payment;
        try {
            const next = await api.retrieve(secret, true);
            if (hasMoved(payment, next)) return next;
        } catch (thrown) {
            // Without a network there is nothing to learn: the next look may find one.
            if (thrown instanceof Refusal && hasEnded(thrown)) return 'ended';
        }
    }
    return 'paused';
}
