import type { AcceptedCountries, AcceptedCurrencies, PaymentMethod, PaymentMethodEnabled } from 'multirail';
import { countryName } from '../format/codes.ts';
import { money } from '../format/money.ts';
import type { Texts } from '../texts/index.tsx';
import { METHODS, typesOf } from './words.ts';

/** A list of codes that an account accepts or refuses. */
export type Acceptance = { type: 'all_accepted' | 'enable_only' | 'disable_only'; list: readonly string[] };

/** Returns the meaning of the contract's form, in which a missing value accepts everything. */
export function acceptanceOf(accepted: AcceptedCountries | AcceptedCurrencies | null | undefined): Acceptance {
    const { type, list } = accepted ?? { type: 'all_accepted', list: [] };
    return { type: type as Acceptance['type'], list: type === 'all_accepted' ? [] : (list ?? []) };
}

/** Returns the only currency of an entry, if it has just one. Its amounts can then be written in it. */
export function currencyOfEntry({ accepted_currencies: currencies }: Pick<PaymentMethodEnabled, 'accepted_currencies'>): string | undefined {
    const { type, list } = acceptanceOf(currencies);
    return type === 'enable_only' && list.length === 1 ? list[0] : undefined;
}

/** Returns the conditions of an entry in words; nothing if it has none. */
export function conditionsOf(entry: PaymentMethodEnabled, texts: Texts, locale: string): readonly string[] {
    const t = texts.processors;
    const names = (list: readonly string[]): string => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(list);
    const codes = (acceptance: Acceptance, nameOf: (code: string) => string): string =>
        acceptance.type === 'all_accepted' ? '' : acceptance.type === 'enable_only' ? names(acceptance.list.map(nameOf)) : t.allBut(names(acceptance.list.map(nameOf)));
    const currency = currencyOfEntry(entry);
    const amount = (minor: number): string => (currency ? money(minor, currency, locale) : texts.routing.says.minor(new Intl.NumberFormat(locale).format(minor)));
    const { minimum_amount: least, maximum_amount: most } = entry;
    return [
        entry.payment_schemes ? names(entry.payment_schemes) : '',
        codes(acceptanceOf(entry.accepted_currencies), (code) => code),
        codes(acceptanceOf(entry.accepted_countries), (code) => countryName(code, locale)),
        typeof least === 'number' ? t.least(amount(least)) : '',
        typeof most === 'number' ? t.most(amount(most)) : '',
        entry.payment_method_issuers ? names(entry.payment_method_issuers) : '',
        entry.recurring_enabled === false ? t.noRecurring : '',
    ].filter(Boolean);
}

/** Returns the entries that accept a type of a method. */
export function entriesFor(entries: readonly PaymentMethodEnabled[], method: PaymentMethod, type: string): readonly PaymentMethodEnabled[] {
    return entries.filter((one) => one.payment_method === method && (one.payment_method_types === null || one.payment_method_types.includes(type as never)));
}

/** Returns the methods and types that any account names. A method whose types nobody names is one row. */
export function matrixRows(lists: readonly (readonly PaymentMethodEnabled[] | null)[]): readonly { method: PaymentMethod; types: readonly string[] }[] {
    const entries = lists.flatMap((list) => list ?? []);
    return METHODS.filter((method) => entries.some((one) => one.payment_method === method)).map((method) => {
        const own = entries.filter((one) => one.payment_method === method);
        const named = typesOf(method).filter((type) => own.some((one) => one.payment_method_types?.includes(type)));
        return { method, types: named };
    });
}
