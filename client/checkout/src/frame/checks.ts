// The checks of what a payer types. They are pure: a text goes in, and the kind of fault comes out.

/** Keyboards of East Asia may write digits twice as wide. */
const narrow = (text: string): string => text.normalize('NFKC');
export const trimmed = (text: string): string => narrow(text).trim();
export const digits = (text: string): string => narrow(text).replace(/\D/g, '');

/** Returns a number of a bank account without the spaces and dashes between its groups. */
export const compact = (text: string): string => narrow(text).replace(/[\s.-]/g, '').toUpperCase();

const hasCheckDigit = (number: string): boolean => {
    const sum = [...number].reverse().reduce((total, digit, place) => {
        const value = Number(digit) * (place % 2 ? 2 : 1);
        return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
};

export const isCardNumber = (text: string): boolean => {
    const number = digits(text);
    return number.length >= 12 && number.length <= 19 && hasCheckDigit(number);
};

const NETWORKS: readonly (readonly [RegExp, string])[] = [
    [/^4/, 'Visa'],
    [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard'],
    [/^3[47]/, 'American Express'],
    [/^(6011|65|64[4-9])/, 'Discover'],
    [/^(30[0-5]|36|38)/, 'Diners Club'],
    [/^35(2[89]|[3-8])/, 'JCB'],
    [/^62/, 'UnionPay'],
];

/** Returns the name of a card's network by its first digits, or an empty text. */
export const networkOf = (number: string): string => NETWORKS.find(([start]) => start.test(digits(number)))?.[1] ?? '';

const isAmex = (number: string): boolean => /^3[47]/.test(digits(number));
export const codeLength = (number: string): number => (isAmex(number) ? 4 : 3);

/** Returns month and year of an expiry, each with two or more digits; a month may be written with one. */
export function expiryOf(text: string): { month: string; year: string } {
    const both = narrow(text).replace(/^\s*(\d)\s*\//, '0$1/').replace(/\D/g, '');
    return { month: both.slice(0, 2), year: both.slice(2) };
}

export function expiryFault(text: string, now: number): 'bad' | 'expired' | undefined {
    const { month, year } = expiryOf(text);
    const count = Number(month);
    if (count < 1 || count > 12 || ![2, 4].includes(year.length)) return 'bad';
    const end = new Date(year.length === 2 ? 2000 + Number(year) : Number(year), count, 1);
    // Nobody knows the payer's time zone better than a day.
    return end.getTime() + 86_400_000 > now ? undefined : 'expired';
}

/** Checks an IBAN: the number that begins with its fifth character has the remainder 1 by 97. A to Z count as 10 to 35. */
export function isIban(text: string): boolean {
    const iban = compact(text);
    if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
    const moved = `${iban.slice(4)}${iban.slice(0, 4)}`;
    return [...moved].reduce((rest, sign) => Number(`${rest}${parseInt(sign, 36)}`) % 97, 0) === 1;
}

export function isRouting(text: string): boolean {
    const number = compact(text);
    return /^[0-9]{9}$/.test(number) && [...number].reduce((sum, digit, place) => sum + Number(digit) * ([3, 7, 1][place % 3] ?? 0), 0) % 10 === 0;
}

/** Writes a card's number in the groups of its network. */
export function groupedNumber(text: string): string {
    const number = digits(text).slice(0, 19);
    const groups = isAmex(number) ? (/^(\d{1,4})(\d{1,6})?(\d+)?$/.exec(number) ?? []).slice(1) : (number.match(/\d{1,4}/g) ?? []);
    return groups.filter(Boolean).join(' ');
}

export function groupedExpiry(text: string): string {
    const { month, year } = expiryOf(text);
    // A month beyond 1 can't have a second digit.
    if (/^[2-9]$/.test(month)) return `0${month} / `;
    return year ? `${month} / ${year.slice(0, 4)}` : text;
}

export const groupedIban = (text: string): string => (compact(text).match(/.{1,4}/g) ?? []).join(' ');
