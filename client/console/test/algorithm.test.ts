import { describe, expect, it } from 'vitest';
import { type Algorithm, readAlgorithm, writeAlgorithm } from '../src/routing/algorithm.ts';
import { algorithmOf, draftOf, evenShares, keyOfTarget, moved, selectionDraft, sumOf } from '../src/routing/draft.ts';
import { ruleText, sentencesOf } from '../src/routing/sentences.ts';
import { de } from '../src/texts/de.ts';
import { en } from '../src/texts/en.ts';

const is = (lhs: string, comparison: string, type: string, value: unknown): object => ({ lhs, comparison, value: { type, value }, metadata: {} });
const A = { connector: 'adyen', merchant_connector_id: 'mca_a' };
const B = { connector: 'stripe', merchant_connector_id: 'mca_b' };
const NAMES: Readonly<Record<string, string>> = { mca_a: 'Adyen', mca_b: 'Stripe' };
const RULES = {
    type: 'advanced',
    data: {
        defaultSelection: { type: 'priority', data: [B, A] },
        rules: [
            {
                name: 'Large amounts in euros',
                connectorSelection: { type: 'volume_split', data: [{ connector: A, split: 80 }, { connector: B, split: 20 }] },
                statements: [{ condition: [is('currency', 'equal', 'enum_variant', 'EUR'), is('amount', 'greater_than', 'number', 100_000)] }],
            },
            {
                name: 'Wallets',
                connectorSelection: { type: 'least_cost', data: [A, B] },
                statements: [{ condition: [is('payment_method', 'not_equal', 'enum_variant_array', ['card', 'voucher'])] }, { condition: [is('metadata', 'equal', 'metadata_variant', { key: 'channel', value: 'app' })] }],
            },
        ],
        metadata: {},
    },
} as const;

const speech = (texts: typeof en, locale: string): Parameters<typeof ruleText>[1] => ({ texts, locale, nameOf: ({ id, connector }) => NAMES[id ?? ''] ?? connector });
/** Returns a text without the marks around foreign names. */
const bare = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '').replaceAll('\u00a0', ' ');
const said = (algorithm: Algorithm, texts = en, locale = 'en-GB'): string[] => {
    const { rules, rest } = sentencesOf(algorithm, speech(texts, locale));
    return [...rules.map(({ text }) => text), rest].map(bare);
};

describe('an algorithm', () => {
    it('is read and written without a loss', () => {
        expect(writeAlgorithm(readAlgorithm(RULES)!)).toEqual(RULES);
        const split = { type: 'volume_split', data: [{ connector: { connector: 'stripe' }, split: 7 }, { connector: A, split: 3 }] };
        expect(writeAlgorithm(readAlgorithm(split)!)).toEqual(split);
        expect(writeAlgorithm(readAlgorithm({ type: 'single', data: B })!)).toEqual({ type: 'priority', data: [B] });
    });

    it('keeps nested statements', () => {
        const nested = { type: 'advanced', data: { ...RULES.data, rules: [{ ...RULES.data.rules[0], statements: [{ condition: [is('currency', 'equal', 'enum_variant', 'JPY')], nested: [{ condition: [is('amount', 'less_than', 'number', 500)] }] }] }] } };
        const read = readAlgorithm(nested)!;
        expect(writeAlgorithm(read)).toEqual(nested);
        expect(said(read)[0]).toBe('If the currency is JPY and the amount is below 500 JPY: send 80% to Adyen and 20% to Stripe.');
        expect(draftOf(read, 'en')).toBeUndefined();
    });

    it.each([
        { type: 'dynamic', data: {} },
        { type: 'three_ds_decision_rule', data: {} },
        { type: 'advanced', data: { ...RULES.data, rules: [{ ...RULES.data.rules[0], statements: [{ condition: [is('amount', 'newer_word', 'number', 1)] }] }] } },
        { type: 'priority', data: null },
    ])('that is newer than the console is not read: %#', (algorithm) => {
        expect(readAlgorithm(algorithm)).toBeUndefined();
    });
});

describe('the sentences', () => {
    it('say what a rule does', () => {
        expect(said(readAlgorithm(RULES)!)).toEqual([
            'If the currency is EUR and the amount is above 1,000.00 EUR: send 80% to Adyen and 20% to Stripe.',
            'If the payment method is not Card or Voucher, or the metadata entry channel is “app”: use the cheapest of Adyen and Stripe.',
            'Otherwise: try Stripe, then Adyen.',
        ]);
        expect(said(readAlgorithm(RULES)!, de, 'de-DE')[0]).toBe('Wenn die Währung EUR ist und der Betrag über 1.000,00 EUR liegt: 80 % an Adyen und 20 % an Stripe senden.');
    });

    it('name minor units if no currency is certain', () => {
        const statements = [{ condition: [is('currency', 'equal', 'enum_variant_array', ['EUR', 'JPY']), is('amount', 'equal', 'number_array', [100, 2000])] }];
        const read = readAlgorithm({ type: 'advanced', data: { ...RULES.data, rules: [{ ...RULES.data.rules[0], statements }] } })!;
        expect(said(read)[0]).toContain('the currency is EUR or JPY and the amount is 100 minor units or 2,000 minor units');
    });

    it('are not turned around by a name', () => {
        const text = ruleText({ selection: { kind: 'priority', targets: [{ connector: 'x', id: 'y' }] }, statements: [] }, { texts: en, locale: 'en', nameOf: () => '\u202egnp.exe\u2069' });
        expect(text).toContain('use \u2068gnp.exe\u2069');
    });
});

describe('a draft', () => {
    const entries = selectionDraft({ kind: 'priority', targets: ['a', 'b', 'c'].map((id) => ({ connector: 'x', id })) }).entries;
    const order = (list: typeof entries): string => list.map(({ target }) => keyOfTarget(target)).join('');

    it('is moved before and after another account', () => {
        expect(order(moved(entries, new Set(['c']), 'a', 'before'))).toBe('cab');
        expect(order(moved(entries, new Set(['a']), 'b', 'after'))).toBe('bac');
        expect(order(moved(entries, new Set(['a']), 'a', 'after'))).toBe('abc');
    });

    it('has shares that sum to 100', () => {
        expect(evenShares(entries).map(({ share }) => share)).toEqual(['34', '33', '33']);
        expect(sumOf(evenShares(entries))).toBe(100);
        expect(sumOf(entries.map((one) => ({ ...one, share: '33.5' })))).toBeUndefined();
        expect(algorithmOf({ kind: 'volume_split', selection: { kind: 'volume_split', entries: entries.map((one) => ({ ...one, share: '33' })) }, rules: [] })).toBeUndefined();
    });

    it('of a configuration makes the same configuration', () => {
        const read = readAlgorithm(RULES)!;
        expect(algorithmOf(draftOf(read, 'de-DE')!)).toEqual(read);
    });

    it('turns weights into percentages', () => {
        const draft = draftOf(readAlgorithm({ type: 'volume_split', data: [{ connector: A, split: 3 }, { connector: B, split: 1 }] })!, 'en')!;
        expect(draft.selection.entries.map(({ share }) => share)).toEqual(['75', '25']);
    });
});
