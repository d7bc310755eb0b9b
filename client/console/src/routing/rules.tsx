import { type ReactNode, useState } from 'react';
import { COUNTRIES, countryName, ALL_CURRENCIES } from '../format/codes.ts';
import { METHODS, NETWORKS, typesOf } from '../processors/words.ts';
import { type Texts, useSpoken, wordOf } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Choice, Field, Words } from '../ui/controls.tsx';
import type { Accounts } from './accounts.ts';
import { type Comparison, COMPARISONS } from './algorithm.ts';
import { type ConditionDraft, currencyOfGroup, emptyCondition, emptyRule, FIELDS, type Field as FieldName, isComplete, type RuleDraft, ruleOf } from './draft.ts';
import { Sortable, SelectionEditor } from './entries.tsx';
import { ruleText, valueName } from './sentences.ts';

const KINDS = ['priority', 'volume_split', 'least_cost'] as const;
const FIXED: Readonly<Record<string, readonly string[]>> = {
    currency: ALL_CURRENCIES,
    payment_method: METHODS,
    card_network: NETWORKS,
    card_type: typesOf('card'),
    wallet: typesOf('wallet'),
    bank_redirect: typesOf('bank_redirect'),
    bank_debit: typesOf('bank_debit'),
    pay_later: typesOf('pay_later'),
    authentication_type: ['three_ds', 'no_three_ds'],
    capture_method: ['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic'],
    setup_future_usage: ['on_session', 'off_session'],
    payment_type: ['non_mandate', 'new_mandate', 'setup_mandate', 'recurring_mandate'],
};

/** Returns the words of a property, with their names. */
function optionsOf(field: FieldName, texts: Texts, locale: string): readonly (readonly [string, string])[] {
    if (field.endsWith('_country')) {
        const named = COUNTRIES.map((code) => [code, countryName(code, locale)] as const);
        return named.sort(([, one], [, other]) => one.localeCompare(other, locale));
    }
    return (FIXED[field] ?? []).map((word) => [word, valueName(field, word, texts, locale)]);
}

export interface RulesProps {
    rules: readonly RuleDraft[];
    onChange: (rules: readonly RuleDraft[]) => void;
    accounts: Accounts;
    isChecked: boolean;
}

/** The rules of a configuration as sentences, in an order that one can change. Each is edited in a dialog. */
export function Rules({ rules, onChange, accounts, isChecked }: RulesProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const [editing, setEditing] = useState<RuleDraft>();
    const speech = { texts, locale, nameOf: accounts.nameOf };
    const keyOf = (rule: RuleDraft): string => String(rule.id);
    const move = (keys: ReadonlySet<string>, target: string, position: 'before' | 'after'): void => {
        const moving = rules.filter((one) => keys.has(keyOf(one)));
        const others = rules.filter((one) => !keys.has(keyOf(one)));
        const at = others.findIndex((one) => keyOf(one) === target) + (position === 'after' ? 1 : 0);
        if (!keys.has(target)) onChange([...others.slice(0, at), ...moving, ...others.slice(at)]);
    };
    const save = (rule: RuleDraft): void => {
        onChange(rules.some((one) => one.id === rule.id) ? rules.map((one) => (one.id === rule.id ? rule : one)) : [...rules, rule]);
        setEditing(undefined);
    };
    return (
        <fieldset className="group">
            <legend>{t.rules}</legend>
            <p className="hint">{t.rulesHint}</p>
            {rules.length > 0 ? (
                <Sortable
                    label={t.rules}
                    items={rules}
                    keyOf={keyOf}
                    nameOf={(rule) => rule.name}
                    onMove={move}
                    onRemove={(rule) => onChange(rules.filter((one) => one !== rule))}
                    extra={(rule) => (
                        <Button size="small" onPress={() => setEditing(rule)} label={`${t.edit}: ${rule.name}`}>
                            {t.edit}
                        </Button>
                    )}
                >
                    {(rule) => {
                        const made = ruleOf(rule);
                        return (
                            <>
                                <strong>
                                    <bdi>{rule.name}</bdi>
                                </strong>
                                <p>{made ? ruleText(made, speech) : t.incomplete}</p>
                            </>
                        );
                    }}
                </Sortable>
            ) : null}
            {isChecked && rules.length === 0 ? <p className="field-error">{t.needRule}</p> : null}
            <div>
                <Button onPress={() => setEditing(emptyRule())}>{t.addRule}</Button>
            </div>
            {editing ? <RuleDialog rule={editing} others={rules.filter((one) => one.id !== editing.id).map((one) => one.name)} accounts={accounts} onSave={save} onClose={() => setEditing(undefined)} /> : null}
        </fieldset>
    );
}

function RuleDialog({ rule, others, accounts, onSave, onClose }: { rule: RuleDraft; others: readonly string[]; accounts: Accounts; onSave: (rule: RuleDraft) => void; onClose: () => void }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const [draft, setDraft] = useState(rule);
    const [isChecked, checked] = useChecked();
    const name = draft.name.trim();
    const isTaken = others.includes(name);
    const made = ruleOf(draft);
    const action = useAction(async () => onSave({ ...draft, name }));
    const setGroup = (index: number, group: readonly ConditionDraft[]): void => {
        const groups = draft.groups.map((one, place) => (place === index ? group : one));
        setDraft({ ...draft, groups: groups.filter((one) => one.length > 0) });
    };
    const nameError = name === '' ? t.needName : isTaken ? t.takenName : undefined;
    return (
        <ActionDialog
            title={t.ruleTitle}
            submit={t.saveRule}
            action={action}
            size="roomy"
            check={checked(made !== undefined && !isTaken)}
            onClose={onClose}
        >
            <Field label={t.ruleName} name="name" autoFocus isRequired maxLength={64} value={draft.name} onChange={(text) => setDraft({ ...draft, name: text })} error={isChecked ? nameError : undefined} />
            {draft.groups.map((group, index) => (
                <Group key={group[0]?.id ?? index} label={index === 0 ? t.ifAll : t.orAll} group={group} isChecked={isChecked} onChange={(next) => setGroup(index, next)} isOnly={draft.groups.length === 1} />
            ))}
            <div>
                <Button size="small" onPress={() => setDraft({ ...draft, groups: [...draft.groups, [emptyCondition()]] })}>
                    {t.addGroup}
                </Button>
            </div>
            <SelectionEditor label={t.then} draft={draft.selection} onChange={(selection) => setDraft({ ...draft, selection })} accounts={accounts} kinds={KINDS} isChecked={isChecked} />
            <p className="says" role="status">
                {made ? ruleText(made, { texts, locale, nameOf: accounts.nameOf }) : t.unfinished}
            </p>
        </ActionDialog>
    );
}

function Group({ label, group, onChange, isChecked, isOnly }: { label: string; group: readonly ConditionDraft[]; onChange: (group: readonly ConditionDraft[]) => void; isChecked: boolean; isOnly: boolean }): ReactNode {
    const t = useSpoken().texts.routing;
    return (
        <fieldset className="group">
            <legend>{label}</legend>
            {group.map((one, index) => (
                <ConditionRow
                    key={one.id}
                    number={index + 1}
                    condition={one}
                    currency={currencyOfGroup(group)}
                    error={isChecked && !isComplete(one, group)}
                    onChange={(next) => onChange(group.map((other) => (other === one ? next : other)))}
                    onRemove={isOnly && group.length === 1 ? undefined : () => onChange(group.filter((other) => other !== one))}
                />
            ))}
            <div>
                <Button size="small" onPress={() => onChange([...group, emptyCondition()])}>
                    {t.addCondition}
                </Button>
            </div>
        </fieldset>
    );
}

interface RowProps {
    number: number;
    condition: ConditionDraft;
    /** The currency in which amounts are entered. */
    currency: string | undefined;
    error: boolean;
    onChange: (condition: ConditionDraft) => void;
    onRemove: (() => void) | undefined;
}

function ConditionRow({ number, condition, currency, error, onChange, onRemove }: RowProps): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const { field, comparison } = condition;
    const form = FIELDS[field];
    const comparisons = form === 'amount' ? COMPARISONS : (['equal', 'not_equal'] as const);
    const set = (change: Partial<ConditionDraft>): void => onChange({ ...condition, ...change });
    const changeField = (next: FieldName): void => set({ field: next, comparison: FIELDS[next] === 'amount' ? 'greater_than_equal' : 'equal', words: [], text: '', key: '' });
    return (
        <div className="condition" role="group" aria-label={t.condition(number)}>
            <Choice label={t.property} value={field} onChange={(word) => changeField(word as FieldName)} options={(Object.keys(FIELDS) as FieldName[]).map((word) => [word, wordOf(t.properties, word)])} />
            <Choice label={t.comparison} value={comparison} onChange={(word) => set({ comparison: word as Comparison })} options={comparisons.map((word) => [word, t.comparisons[word]])} />
            {form === 'words' ? <Words label={t.values} words={condition.words} onChange={(words) => set({ words })} options={optionsOf(field, texts, locale)} error={error ? t.needValue : undefined} /> : null}
            {form === 'amount' ? (
                <Field
                    label={currency ? texts.common.amountIn(currency) : t.minorUnits}
                    name="value"
                    inputMode="decimal"
                    maxLength={16}
                    value={condition.text}
                    onChange={(text) => set({ text })}
                    hint={currency ? undefined : t.minorHint}
                    error={error ? (currency ? texts.payments.badAmount(currency) : t.badMinor) : undefined}
                />
            ) : null}
            {form === 'entry' ? <Field label={t.entryKey} name="key" maxLength={255} value={condition.key} onChange={(key) => set({ key })} /> : null}
            {form === 'text' || form === 'entry' ? (
                <Field label={t.value} name="value" maxLength={255} value={condition.text} onChange={(text) => set({ text })} error={error ? (field === 'card_bin' ? t.badBin : t.needValue) : undefined} />
            ) : null}
            {onRemove ? (
                <Button look="quiet" size="small" onPress={onRemove} label={t.removeCondition(number)}>
                    {texts.common.remove}
                </Button>
            ) : null}
        </div>
    );
}
