import { type Client, type Payment, paymentsFilter, type TimeRange } from 'multirail';

/** The most payments whose amounts are summed. The service has no sums, and each page is a request. */
export const SUMMED = 500;
const PAGE = 50;

/** The captured money in one currency. */
export interface Volume {
    currency: string;
    /** The sum in minor units, which may exceed what a number holds exactly. */
    captured: bigint;
    payments: number;
}

/** Sums the captured amounts of payments by currency, largest number of payments first. */
export function volumesOf(payments: Iterable<Pick<Payment, 'amount_received' | 'currency'>>): Volume[] {
    const sums = new Map<string, Volume>();
    for (const { amount_received: received, currency } of payments) {
        if (!received) continue;
        const sum = sums.get(currency) ?? { currency, captured: 0n, payments: 0 };
        sums.set(currency, { currency, captured: sum.captured + BigInt(received), payments: sum.payments + 1 });
    }
    return [...sums.values()].sort((one, other) => other.payments - one.payments || one.currency.localeCompare(other.currency));
}

/** Reads the captured money of a time, or null if more payments were made than are summed. */
export async function readVolumes(client: Client, range: TimeRange, signal: AbortSignal): Promise<Volume[] | null> {
    let time_range = range;
    const all = new Map<string, Payment>();
    for (let offset = 0; ; offset += PAGE) {
        const page = await paymentsFilter(client, { time_range, limit: PAGE, offset }, { signal });
        if (page.total_count > SUMMED) return null;
        // A payment that arrives meanwhile shifts the pages. The time of the newest one that was read keeps it out.
        const newest = page.data[0]?.created;
        if (newest && !time_range.end_time) time_range = { ...time_range, end_time: newest };
        for (const payment of page.data) all.set(payment.payment_id, payment);
        if (page.data.length < PAGE) return volumesOf(all.values());
    }
}

/** Returns approved payments in percent of those that are decided, or undefined if none is. */
export function rateOf(approved: number, declined: number): number | undefined {
    return approved + declined === 0 ? undefined : (approved / (approved + declined)) * 100;
}
