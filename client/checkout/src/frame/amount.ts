// Amounts in the payer's language, from integers in minor units.

/** The currencies whose minor unit isn't a hundredth, by the contract's number of decimals. Browsers differ from it. */
const DECIMALS: Readonly<Record<string, number>> = Object.fromEntries([
    ...'BIF CLP DJF GNF IRR JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
    ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
    ['CLF', 4] as const,
]);

/** Returns the amount with its currency, such as `€65.40`. */
export function money(minor: number, currency: string, language: string): string {
    const places = DECIMALS[currency] ?? 2;
    const digits = String(Math.abs(minor)).padStart(places + 1, '0');
    const units = digits.slice(0, digits.length - places);
    const text = `${minor < 0 ? '-' : ''}${places ? `${units}.${digits.slice(-places)}` : units}`;
    const numbers = new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits: places, maximumFractionDigits: places });
    // A text is formatted exactly. Its type is newer than the library of this target.
    return numbers.format(text as unknown as number);
}
