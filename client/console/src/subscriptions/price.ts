import type { BillingInterval } from 'multirail';
import { money } from '../format/money.ts';
import { useSpoken } from '../texts/index.tsx';

/** The members of a price that its sentence has. */
export interface Priced {
    amount: number;
    currency: string;
    interval?: BillingInterval;
    interval_count?: number;
}

/** Returns a function that says a price, such as `9.90 EUR a month`. */
export function usePrice(): (price: Priced) => string {
    const { texts, locale } = useSpoken();
    return ({ amount, currency, interval, interval_count: count = 1 }) => {
        const shown = money(amount, currency, locale);
        return interval ? `${shown} ${texts.catalogue.each(interval, count)}` : `${shown} ${texts.catalogue.once}`;
    };
}
