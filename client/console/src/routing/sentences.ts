import { countryName } from '../format/codes.ts';
import { isolated } from '../format/foreign.ts';
import { money } from '../format/money.ts';
import { type Texts, wordOf } from '../texts/index.tsx';
import { type Algorithm, type Condition, currencyOf, type Rule, type Selection, type Statement, type Target } from './algorithm.ts';

/** The tools of sentences: the texts, the locale, and the names of accounts. */
export interface Speech {
    texts: Texts;
    locale: string;
    nameOf: (target: Target) => string;
}

const all = (parts: readonly string[], locale: string): string => new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
const any = (parts: readonly string[], locale: string): string => new Intl.ListFormat(locale, { type: 'disjunction' }).format(parts);

/** Returns what happens with a payment: a part of a sentence. */
export function selectionText(selection: Selection, { texts, locale, nameOf }: Speech): string {
    const t = texts.routing.says;
    if (selection.kind === 'volume_split') {
        const sum = selection.shares.reduce((total, { weight }) => total + weight, 0);
        const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
        return t.split(all(selection.shares.map(({ target, weight }) => t.share(percent.format(sum ? weight / sum : 0), isolated(nameOf(target)))), locale));
    }
    const names = selection.targets.map((target) => isolated(nameOf(target)));
    if (names.length === 1) return t.one(names[0]!);
    return selection.kind === 'least_cost' ? t.cheapest(all(names, locale)) : t.inOrder(names);
}

/** Returns a condition as a part of a sentence. */
export function conditionText({ lhs, comparison, value }: Condition, currency: string | undefined, { texts, locale }: Speech): string {
    const t = texts.routing.says;
    const field = wordOf(t.fields, lhs);
    const amount = (minor: number): string => (currency ? money(minor, currency, locale) : t.minor(new Intl.NumberFormat(locale).format(minor)));
    switch (value.type) {
        case 'number':
            return t.compare[comparison](field, amount(value.value));
        case 'number_array':
            return t.compare[comparison](field, any(value.value.map(amount), locale));
        case 'number_comparison_array': {
            const parts = value.value.map((one) => t.compare[one.comparisonType](field, amount(one.number)));
            return comparison === 'equal' ? any(parts, locale) : t.noneOf(any(parts, locale));
        }
        case 'enum_variant':
            return t.compare[comparison](field, valueName(lhs, value.value, texts, locale));
        case 'enum_variant_array':
            return t.compare[comparison](field, any(value.value.map((word) => valueName(lhs, word, texts, locale)), locale));
        case 'str_value':
            return t.compare[comparison](field, t.quote(isolated(value.value)));
        case 'metadata_variant':
            return t.compare[comparison](t.entry(isolated(value.value.key)), t.quote(isolated(value.value.value)));
    }
}

/** Returns the name of a word that a key is compared with. */
export function valueName(lhs: string, word: string, texts: Texts, locale: string): string {
    if (lhs.endsWith('_country')) return countryName(word, locale);
    if (lhs === 'payment_method') return wordOf(texts.words.method, word);
    if (lhs === 'authentication_type') return wordOf(texts.words.authentication, word);
    if (lhs === 'capture_method') return wordOf(texts.words.capture, word);
    return lhs === 'currency' || lhs === 'card_network' ? word : wordOf(texts.routing.words, word);
}

function statementText({ conditions, nested }: Statement, speech: Speech, outer?: string): string {
    const currency = currencyOf(conditions) ?? outer;
    const parts = conditions.map((one) => conditionText(one, currency, speech));
    const inner = nested.map((one) => statementText(one, speech, currency));
    if (inner.length > 0) parts.push(inner.length === 1 ? inner[0]! : `(${inner.join(speech.texts.routing.says.or)})`);
    return all(parts, speech.locale);
}

/** Returns a rule as a sentence. */
export function ruleText(rule: Pick<Rule, 'selection' | 'statements'>, speech: Speech): string {
    const t = speech.texts.routing.says;
    const when = rule.statements.map((one) => statementText(one, speech)).join(t.or);
    return t.rule(when, selectionText(rule.selection, speech));
}

/** Returns an algorithm as sentences: those of its rules, and the one that is left for all other payments. */
export function sentencesOf(algorithm: Algorithm, speech: Speech): { rules: readonly { name: string; text: string }[]; rest: string } {
    const t = speech.texts.routing.says;
    if (algorithm.kind !== 'advanced') return { rules: [], rest: t.every(selectionText(algorithm, speech)) };
    return {
        rules: algorithm.rules.map((rule) => ({ name: rule.name, text: ruleText(rule, speech) })),
        rest: t.rest(selectionText(algorithm.fallback, speech)),
    };
}
