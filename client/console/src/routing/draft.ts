import { editable, parseAmount } from '../format/money.ts';
import { type Algorithm, type Comparison, type Condition, currencyOf, type Rule, type Selection, type Statement, type Target, targetsOf, type Value } from './algorithm.ts';

/** An account in a list that is being edited, with its share as typed. */
export interface Entry {
    target: Target;
    share: string;
}

export type SelectionKind = Selection['kind'];

/** A choice of accounts that is being edited. The accounts stay when the kind changes. */
export interface SelectionDraft {
    kind: SelectionKind;
    entries: readonly Entry[];
}

/** The kinds of values that people enter. */
export type Form = 'amount' | 'words' | 'text' | 'entry';

/** The properties of a payment that the rule builder offers. */
export const FIELDS = {
    amount: 'amount',
    currency: 'words',
    payment_method: 'words',
    card_network: 'words',
    card_type: 'words',
    wallet: 'words',
    bank_redirect: 'words',
    bank_debit: 'words',
    pay_later: 'words',
    billing_country: 'words',
    issuer_country: 'words',
    business_country: 'words',
    authentication_type: 'words',
    capture_method: 'words',
    setup_future_usage: 'words',
    payment_type: 'words',
    card_bin: 'text',
    issuer_name: 'text',
    business_label: 'text',
    metadata: 'entry',
} as const satisfies Readonly<Record<string, Form>>;

export type Field = keyof typeof FIELDS;

/** A condition that is being edited. */
export interface ConditionDraft {
    id: number;
    field: Field;
    comparison: Comparison;
    words: readonly string[];
    /** The amount, text or value of an entry as typed. */
    text: string;
    /** The key of an entry of the metadata. */
    key: string;
}

export interface RuleDraft {
    id: number;
    name: string;
    selection: SelectionDraft;
    /** Groups of conditions. The rule matches if all conditions of one group hold. */
    groups: readonly (readonly ConditionDraft[])[];
}

let last = 0;
/** Returns a number by which React keeps the parts of a form apart. */
export const nextId = (): number => (last += 1);

export const emptyCondition = (): ConditionDraft => ({ id: nextId(), field: 'currency', comparison: 'equal', words: [], text: '', key: '' });
export const emptySelection = (): SelectionDraft => ({ kind: 'priority', entries: [] });
export const emptyRule = (): RuleDraft => ({ id: nextId(), name: '', selection: emptySelection(), groups: [[emptyCondition()]] });

export const keyOfTarget = ({ connector, id }: Target): string => id ?? `connector ${connector}`;

/** Returns the list with accounts moved next to another one. */
export function moved(entries: readonly Entry[], keys: ReadonlySet<string>, target: string, position: 'before' | 'after'): readonly Entry[] {
    if (keys.has(target)) return entries;
    const moving = entries.filter((one) => keys.has(keyOfTarget(one.target)));
    const others = entries.filter((one) => !keys.has(keyOfTarget(one.target)));
    const at = others.findIndex((one) => keyOfTarget(one.target) === target) + (position === 'after' ? 1 : 0);
    return [...others.slice(0, at), ...moving, ...others.slice(at)];
}

/** Returns whole shares that are equal but for the rest, and sum to 100. */
export function evenShares(entries: readonly Entry[]): readonly Entry[] {
    const each = Math.floor(100 / Math.max(1, entries.length));
    const rest = 100 - each * entries.length;
    return entries.map((one, index) => ({ ...one, share: String(each + (index < rest ? 1 : 0)) }));
}

export const shareOf = (text: string): number | undefined => (/^\d{1,3}$/.test(text.trim()) && Number(text) <= 100 ? Number(text) : undefined);

/** Returns the sum of the shares, or undefined if one of them is no whole percentage. */
export function sumOf(entries: readonly Entry[]): number | undefined {
    const shares = entries.map(({ share }) => shareOf(share));
    return shares.some((one) => one === undefined) ? undefined : shares.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

/** Returns the selection, or undefined if it isn't complete. */
export function selectionOf({ kind, entries }: SelectionDraft): Selection | undefined {
    if (entries.length === 0) return undefined;
    if (kind !== 'volume_split') return { kind, targets: entries.map(({ target }) => target) };
    if (sumOf(entries) !== 100) return undefined;
    return { kind, shares: entries.map(({ target, share }) => ({ target, weight: shareOf(share) ?? 0 })) };
}

export function selectionDraft(selection: Selection): SelectionDraft {
    if (selection.kind !== 'volume_split') return { kind: selection.kind, entries: targetsOf(selection).map((target) => ({ target, share: '' })) };
    const sum = selection.shares.reduce((total, { weight }) => total + weight, 0);
    return { kind: selection.kind, entries: selection.shares.map(({ target, weight }) => ({ target, share: String(Math.round((weight * 100) / Math.max(1, sum))) })) };
}

/** Returns the condition, or undefined if it isn't complete. Amounts are in the currency if the group has one, else in minor units. */
function conditionOf({ field, comparison, words, text, key }: ConditionDraft, currency: string | undefined): Condition | undefined {
    const typed = text.trim();
    const made = (value: Value): Condition => ({ lhs: field, comparison, value });
    switch (FIELDS[field]) {
        case 'amount': {
            const amount = currency ? parseAmount(typed, currency) : /^\d{1,12}$/.test(typed) ? Number(typed) : undefined;
            return amount === undefined ? undefined : made({ type: 'number', value: amount });
        }
        case 'words':
            if (words.length === 0) return undefined;
            return made(words.length === 1 ? { type: 'enum_variant', value: words[0]! } : { type: 'enum_variant_array', value: words });
        case 'text':
            if (typed === '' || (field === 'card_bin' && !/^\d{6,8}$/.test(typed))) return undefined;
            return made({ type: 'str_value', value: typed });
        case 'entry':
            return typed === '' || key.trim() === '' ? undefined : made({ type: 'metadata_variant', value: { key: key.trim(), value: typed } });
    }
}

/** Returns the currency in which the amounts of a group are entered. */
export function currencyOfGroup(group: readonly ConditionDraft[]): string | undefined {
    const found = group.find(({ field, comparison, words }) => field === 'currency' && comparison === 'equal' && words.length === 1);
    return found?.words[0];
}

export const isComplete = (draft: ConditionDraft, group: readonly ConditionDraft[]): boolean => conditionOf(draft, currencyOfGroup(group)) !== undefined;

/** Returns the rule, or undefined if a part of it isn't complete. */
export function ruleOf({ name, selection, groups }: RuleDraft): Rule | undefined {
    const chosen = selectionOf(selection);
    if (!chosen || name.trim() === '') return undefined;
    const statements = groups.map((group) => group.map((one) => conditionOf(one, currencyOfGroup(group))));
    if (statements.length === 0 || statements.some((one) => one.length === 0 || one.includes(undefined))) return undefined;
    return { name: name.trim(), selection: chosen, statements: statements.map((conditions) => ({ conditions: conditions as Condition[], nested: [] })) };
}

function conditionDraft({ lhs, comparison, value }: Condition, currency: string | undefined, locale: string): ConditionDraft | undefined {
    if (!Object.hasOwn(FIELDS, lhs)) return undefined;
    const draft = { ...emptyCondition(), field: lhs as Field, comparison };
    switch (value.type) {
        case 'number':
            return { ...draft, text: currency ? editable(value.value, currency, locale) : String(value.value) };
        case 'enum_variant':
            return { ...draft, words: [value.value] };
        case 'enum_variant_array':
            return { ...draft, words: value.value };
        case 'str_value':
            return { ...draft, text: value.value };
        case 'metadata_variant':
            return { ...draft, key: value.value.key, text: value.value.value };
        case 'number_array':
        case 'number_comparison_array':
            return undefined;
    }
}

function groupDraft({ conditions, nested }: Statement, locale: string): readonly ConditionDraft[] | undefined {
    if (nested.length > 0) return undefined;
    const drafts = conditions.map((one) => conditionDraft(one, currencyOf(conditions), locale));
    return drafts.includes(undefined) ? undefined : (drafts as ConditionDraft[]);
}

function ruleDraft(rule: Rule, locale: string): RuleDraft | undefined {
    const groups = rule.statements.map((one) => groupDraft(one, locale));
    if (groups.includes(undefined)) return undefined;
    return { id: nextId(), name: rule.name, selection: selectionDraft(rule.selection), groups: groups as RuleDraft['groups'] };
}

/** A configuration that is being edited. The parts of the other kinds stay when the kind changes. */
export interface Draft {
    kind: 'priority' | 'volume_split' | 'advanced';
    selection: SelectionDraft;
    rules: readonly RuleDraft[];
}

/** Returns the draft of an algorithm, or undefined if it has parts that the form doesn't offer, such as nested statements. */
export function draftOf(algorithm: Algorithm, locale: string): Draft | undefined {
    if (algorithm.kind === 'least_cost') return undefined;
    if (algorithm.kind !== 'advanced') return { kind: algorithm.kind, selection: selectionDraft(algorithm), rules: [] };
    const rules = algorithm.rules.map((one) => ruleDraft(one, locale));
    if (rules.includes(undefined)) return undefined;
    return { kind: 'advanced', selection: selectionDraft(algorithm.fallback), rules: rules as RuleDraft[] };
}

/** Returns the algorithm of a draft, or undefined if a part of it isn't complete. */
export function algorithmOf({ kind, selection, rules }: Draft): Algorithm | undefined {
    if (kind !== 'advanced') return selectionOf({ ...selection, kind });
    const made = rules.map(ruleOf);
    const fallback = selectionOf(selection);
    if (!fallback || made.length === 0 || made.includes(undefined)) return undefined;
    return { kind, fallback, rules: made as Rule[] };
}
