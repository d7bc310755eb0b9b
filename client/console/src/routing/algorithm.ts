import type { RoutingAlgorithmRequest } from 'multirail';

/** An account of a configuration. Without an id it is the profile's only account at the connector. */
export interface Target {
    connector: string;
    id: string | undefined;
}

export interface Share {
    target: Target;
    /** The weight of the account. It counts relative to the sum of all weights. */
    weight: number;
}

/** A choice of accounts. */
export type Selection = { kind: 'priority' | 'least_cost'; targets: readonly Target[] } | { kind: 'volume_split'; shares: readonly Share[] };

export const COMPARISONS = ['equal', 'not_equal', 'greater_than', 'greater_than_equal', 'less_than', 'less_than_equal'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Value =
    | { type: 'number'; value: number }
    | { type: 'number_array'; value: readonly number[] }
    | { type: 'number_comparison_array'; value: readonly { comparisonType: Comparison; number: number }[] }
    | { type: 'enum_variant' | 'str_value'; value: string }
    | { type: 'enum_variant_array'; value: readonly string[] }
    | { type: 'metadata_variant'; value: { key: string; value: string } };

export interface Condition {
    lhs: string;
    comparison: Comparison;
    value: Value;
}

/** Conditions that all hold and, if there are nested statements, one of these. */
export interface Statement {
    conditions: readonly Condition[];
    nested: readonly Statement[];
}

/** A rule. It matches if one of its statements matches. */
export interface Rule {
    name: string;
    selection: Selection;
    statements: readonly Statement[];
}

export type Algorithm = Selection | { kind: 'advanced'; fallback: Selection; rules: readonly Rule[] };

/** A shape that this console doesn't know. */
class Unknown extends Error {}

type Bag = Readonly<Record<string, unknown>>;

function bag(value: unknown): Bag {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unknown();
    return value as Bag;
}

function list(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) throw new Unknown();
    return value;
}

function text(value: unknown): string {
    if (typeof value !== 'string') throw new Unknown();
    return value;
}

function number(value: unknown): number {
    if (typeof value !== 'number') throw new Unknown();
    return value;
}

/** Reads an algorithm. Returns undefined if this console doesn't know its shape, so that the screen shows it as it is. */
export function readAlgorithm({ type, data }: { type: string; data?: unknown }): Algorithm | undefined {
    try {
        if (type === 'single') return { kind: 'priority', targets: [readTarget(data)] };
        if (type !== 'advanced') return readSelection({ type, data });
        const { defaultSelection, rules } = bag(data);
        return { kind: 'advanced', fallback: readSelection(bag(defaultSelection)), rules: list(rules).map(readRule) };
    } catch (error) {
        if (error instanceof Unknown) return undefined;
        throw error;
    }
}

function readTarget(value: unknown): Target {
    const { connector, merchant_connector_id: id } = bag(value);
    return { connector: text(connector), id: id === undefined || id === null ? undefined : text(id) };
}

function readSelection({ type, data }: Bag): Selection {
    if (type === 'priority' || type === 'least_cost') return { kind: type, targets: list(data).map(readTarget) };
    if (type !== 'volume_split') throw new Unknown();
    const shares = list(data).map((one) => {
        const { connector, split } = bag(one);
        return { target: readTarget(connector), weight: number(split) };
    });
    return { kind: 'volume_split', shares };
}

function readRule(value: unknown): Rule {
    const { name, connectorSelection, statements } = bag(value);
    return { name: text(name), selection: readSelection(bag(connectorSelection)), statements: list(statements).map(readStatement) };
}

function readStatement(value: unknown): Statement {
    const { condition, nested } = bag(value);
    return { conditions: list(condition).map(readCondition), nested: list(nested ?? []).map(readStatement) };
}

function readCondition(value: unknown): Condition {
    const { lhs, comparison, value: right } = bag(value);
    // `country` is an older name of the same key.
    return { lhs: lhs === 'country' ? 'business_country' : text(lhs), comparison: comparisonOf(comparison), value: readValue(bag(right)) };
}

function comparisonOf(value: unknown): Comparison {
    const known = COMPARISONS.find((one) => one === value);
    if (!known) throw new Unknown();
    return known;
}

function readValue({ type, value }: Bag): Value {
    switch (type) {
        case 'number':
            return { type, value: number(value) };
        case 'number_array':
            return { type, value: list(value).map(number) };
        case 'number_comparison_array':
            return { type, value: list(value).map((one) => ({ comparisonType: comparisonOf(bag(one)['comparisonType']), number: number(bag(one)['number']) })) };
        case 'enum_variant':
        case 'str_value':
            return { type, value: text(value) };
        case 'enum_variant_array':
            return { type, value: list(value).map(text) };
        case 'metadata_variant':
            return { type, value: { key: text(bag(value)['key']), value: text(bag(value)['value']) } };
        default:
            throw new Unknown();
    }
}

/** Returns an algorithm as the contract writes it. */
export function writeAlgorithm(algorithm: Algorithm): RoutingAlgorithmRequest {
    if (algorithm.kind !== 'advanced') return writeSelection(algorithm);
    const rules = algorithm.rules.map((rule) => ({ name: rule.name, connectorSelection: writeSelection(rule.selection), statements: rule.statements.map(writeStatement) }));
    return { type: 'advanced', data: { defaultSelection: writeSelection(algorithm.fallback), rules, metadata: {} } };
}

/** A selection of a rule may also be `least_cost`, which is no kind of a whole configuration. */
function writeSelection(selection: Selection): RoutingAlgorithmRequest {
    const data =
        selection.kind === 'volume_split'
            ? selection.shares.map(({ target, weight }) => ({ connector: writeTarget(target), split: weight }))
            : selection.targets.map(writeTarget);
    return { type: selection.kind as RoutingAlgorithmRequest['type'], data };
}

function writeTarget({ connector, id }: Target): object {
    return { connector, ...(id === undefined ? {} : { merchant_connector_id: id }) };
}

function writeStatement({ conditions, nested }: Statement): object {
    const condition = conditions.map(({ lhs, comparison, value }) => ({ lhs, comparison, value, metadata: {} }));
    return { condition, ...(nested.length > 0 ? { nested: nested.map(writeStatement) } : {}) };
}

/** Returns the only currency that the conditions allow, if there is just one. Amounts can then be written in it. */
export function currencyOf(conditions: readonly Condition[]): string | undefined {
    for (const { lhs, comparison, value } of conditions) {
        if (lhs !== 'currency' || comparison !== 'equal') continue;
        if (value.type === 'enum_variant') return value.value;
        if (value.type === 'enum_variant_array' && value.value.length === 1) return value.value[0];
    }
    return undefined;
}

/** Returns the accounts of a selection, in their order. */
export function targetsOf(selection: Selection): readonly Target[] {
    return selection.kind === 'volume_split' ? selection.shares.map(({ target }) => target) : selection.targets;
}
