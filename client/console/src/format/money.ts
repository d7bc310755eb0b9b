/** The currencies whose minor unit isn't a hundredth, by their number of decimals. */
const DECIMALS: Readonly<Record<string, number>> = Object.fromEntries([
    ...'BIF CLP DJF GNF IRR JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
    ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
    ['CLF', 4] as const,
]);

/** Returns the number of decimals of a currency. */
export function decimals(currency: string): number {
    return DECIMALS[currency] ?? 2;
}

/** Returns an amount in minor units as a plain decimal text, such as `65.40`. It computes with digits only. */
export function toDecimal(amount: number | bigint, currency: string): string {
    const places = decimals(currency);
    const sign = amount < 0 ? '-' : '';
    const digits = String(amount).replace('-', '').padStart(places + 1, '0');
    const units = digits.slice(0, digits.length - places);
    return sign + (places ? `${units}.${digits.slice(-places)}` : units);
}

/** Returns an amount in minor units for people, with the currency's code: `65.40 EUR`. */
export function money(amount: number | bigint, currency: string, locale: string): string {
    const places = decimals(currency);
    const numbers = new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places });
    // A text is formatted exactly. Its type is newer than the library of this target.
    return `${numbers.format(toDecimal(amount, currency) as unknown as number)}\u00a0${currency}`;
}

/** Returns an amount in minor units as a person types it in their language. */
export function editable(amount: number, currency: string, locale: string): string {
    const comma = new Intl.NumberFormat(locale).format(1.5).includes(',');
    const text = toDecimal(amount, currency);
    return comma ? text.replace('.', ',') : text;
}

/** Returns the minor units of a typed amount. Groups of thousands are refused, because `1.000` differs by language. */
export function parseAmount(text: string, currency: string): number | undefined {
    const places = decimals(currency);
    const match = /^\s*(\d{1,12})(?:[.,](\d+))?\s*$/.exec(text);
    if (!match) return undefined;
    const [, units = '', fraction = ''] = match;
    if (fraction.length > places) return undefined;
    const amount = Number(units + fraction.padEnd(places, '0'));
    return Number.isSafeInteger(amount) ? amount : undefined;
}
