// The payment while others decide about it: its payer elsewhere, a bank, or a processor.
import type { Api, Payment } from './api.ts';
import { Refusal } from './api.ts';
import { clock } from './clock.ts';
import { asksForDevice, hasEnded, hasMoved } from './outcomes.ts';

/** The frame asks for a payment this long. Then the payer may let it go on. */
const LONGEST_WATCH = 900_000;
/** The server is told again during this time that there are no data of the device. Then the payment counts as undecided. */
const LONGEST_DEVICE = 60_000;
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

/** Goes on without data of the payer's device, until the payment asks for something else or the payer has waited long enough. */
export async function withoutDevice(api: Api, secret: string): Promise<Payment> {
    for (let wait = 2000, waited = 0; ; waited += wait, wait *= 1.5) {
        const payment = await api.complete(secret).catch((thrown: unknown) => {
            // The payer has gone on elsewhere.
            if (thrown instanceof Refusal && thrown.code === 'IR_16') return api.retrieve(secret);
            throw thrown;
        });
        if (!asksForDevice(payment) || waited + wait > LONGEST_DEVICE) return payment;
        await clock.pause(wait);
    }
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
