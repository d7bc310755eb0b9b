import { type ReactNode, useId, useRef } from 'react';
import { Button as AriaButton, GridList, GridListItem, type Key, useDragAndDrop } from 'react-aria-components';
import { isolated } from '../format/foreign.ts';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import type { Accounts } from './accounts.ts';
import type { Target } from './algorithm.ts';
import { type Entry, evenShares, keyOfTarget, moved, type SelectionDraft, type SelectionKind, shareOf, sumOf } from './draft.ts';

/** A button of a row, named by its effect and its row. */
function RowButton({ sign, label, isDisabled = false, onPress }: { sign: string; label: string; isDisabled?: boolean; onPress: () => void }): ReactNode {
    return (
        <AriaButton className="row-button" aria-label={label} isDisabled={isDisabled} onPress={onPress}>
            <span aria-hidden="true">{sign}</span>
        </AriaButton>
    );
}

export interface SortableProps<Item> {
    label: string;
    items: readonly Item[];
    keyOf: (item: Item) => string;
    nameOf: (item: Item) => string;
    /** Moves items next to another one. */
    onMove: (keys: ReadonlySet<string>, target: string, position: 'before' | 'after') => void;
    onRemove?: ((item: Item) => void) | undefined;
    children: (item: Item, index: number) => ReactNode;
    extra?: (item: Item) => ReactNode;
}

/** A list in an order that one changes by dragging, by keyboard, or by the buttons of each row. */
export function Sortable<Item>({ label, items, keyOf, nameOf, onMove, onRemove, children, extra }: SortableProps<Item>): ReactNode {
    const t = useTexts().routing;
    const { dragAndDropHooks } = useDragAndDrop({
        getItems: (keys: Set<Key>) => [...keys].map((key) => ({ 'text/plain': nameOf(items.find((one) => keyOf(one) === String(key))!) })),
        onReorder: ({ keys, target }) => {
            if (target.dropPosition !== 'on') onMove(new Set([...keys].map(String)), String(target.key), target.dropPosition);
        },
    });
    const step = (index: number, by: 1 | -1): void => {
        const other = items[index + by];
        if (other) onMove(new Set([keyOf(items[index]!)]), keyOf(other), by < 0 ? 'before' : 'after');
    };
    return (
        <GridList
            aria-label={label}
            className="sortable"
            items={items.map((item, index) => ({ id: keyOf(item), item, index }))}
            dependencies={[items, label]}
            dragAndDropHooks={dragAndDropHooks}
            keyboardNavigationBehavior="tab"
            disallowTypeAhead
        >
            {({ id, item, index }) => (
                <GridListItem id={id} textValue={nameOf(item)} className="sortable-item">
                    <AriaButton slot="drag" className="row-button handle">
                        <span aria-hidden="true">⠿</span>
                    </AriaButton>
                    <span className="place">{index + 1}</span>
                    <div className="sortable-text">{children(item, index)}</div>
                    <span className="sortable-buttons">
                        {extra?.(item)}
                        <RowButton sign="↑" label={t.moveUp(nameOf(item))} isDisabled={index === 0} onPress={() => step(index, -1)} />
                        <RowButton sign="↓" label={t.moveDown(nameOf(item))} isDisabled={index === items.length - 1} onPress={() => step(index, 1)} />
                        {onRemove ? <RowButton sign="×" label={t.removeRow(nameOf(item))} onPress={() => onRemove(item)} /> : null}
                    </span>
                </GridListItem>
            )}
        </GridList>
    );
}

export interface SelectionEditorProps {
    label: string;
    draft: SelectionDraft;
    onChange: (draft: SelectionDraft) => void;
    accounts: Accounts;
    /** The kinds to choose from; no choice if there is one. */
    kinds: readonly SelectionKind[];
    isChecked: boolean;
    /** True if only the order can change, not the accounts. */
    isFixed?: boolean;
}

/** Edits a choice of accounts: their order, and their shares if payments are split. */
export function SelectionEditor({ label, draft, onChange, accounts, kinds, isChecked, isFixed = false }: SelectionEditorProps): ReactNode {
    const t = useTexts().routing;
    const { kind, entries } = draft;
    const isSplit = kind === 'volume_split';
    const set = (next: readonly Entry[]): void => onChange({ ...draft, entries: next });
    const left = accounts.list.filter((one) => !entries.some(({ target }) => target.id === one.id));
    const add = (id: string): void => {
        const account = accounts.list.find((one) => one.id === id);
        if (!account) return;
        const next = [...entries, { target: { connector: account.connector, id: account.id }, share: '' }];
        // Shares that nobody has changed stay equal.
        const isEven = evenShares(entries).every((one, index) => one.share === entries[index]!.share);
        set(!isSplit ? next : isEven ? evenShares(next) : next.map((one) => ({ ...one, share: one.share || '0' })));
    };
    const nameOf = (target: Target): string => accounts.nameOf(target);
    return (
        <fieldset className="group">
            <legend>{label}</legend>
            {kinds.length > 1 ? (
                <Choice label={t.choice} value={kind} onChange={(word) => onChange({ kind: word as SelectionKind, entries: word === 'volume_split' && sumOf(entries) !== 100 ? evenShares(entries) : entries })} options={kinds.map((one) => [one, t.kinds[one] ?? one])} />
            ) : null}
            {entries.length > 0 ? (
                <Sortable
                    label={label}
                    items={entries}
                    keyOf={({ target }) => keyOfTarget(target)}
                    nameOf={({ target }) => nameOf(target)}
                    onMove={(keys, target, position) => set(moved(entries, keys, target, position))}
                    onRemove={isFixed ? undefined : (entry) => set(entries.filter((one) => one !== entry))}
                    extra={(entry) =>
                        isSplit ? (
                            <label className="share">
                                <span className="hidden">{t.shareOf(nameOf(entry.target))}</span>
                                <input
                                    className="input"
                                    inputMode="numeric"
                                    maxLength={3}
                                    autoComplete="off"
                                    value={entry.share}
                                    aria-invalid={isChecked && shareOf(entry.share) === undefined}
                                    onChange={(event) => set(entries.map((one) => (one === entry ? { ...one, share: event.target.value } : one)))}
                                />
                                <span aria-hidden="true">%</span>
                            </label>
                        ) : null
                    }
                >
                    {(entry) => (
                        <>
                            <bdi>{nameOf(entry.target)}</bdi> <span className="small">{accounts.noteOf(entry.target)}</span>
                        </>
                    )}
                </Sortable>
            ) : null}
            {isSplit && entries.length > 0 ? <Sum entries={entries} onEven={() => set(evenShares(entries))} /> : null}
            {isChecked && entries.length === 0 ? <p className="field-error">{t.needAccount}</p> : null}
            {isFixed ? null : <AddAccount left={left} onAdd={add} isEmpty={accounts.list.length === 0} />}
        </fieldset>
    );
}

function Sum({ entries, onEven }: { entries: readonly Entry[]; onEven: () => void }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const sum = sumOf(entries);
    const percent = (value: number): string => new Intl.NumberFormat(locale, { style: 'percent' }).format(value / 100);
    const isRight = sum === 100;
    return (
        <div className="sum">
            <span className={isRight ? 'hint' : 'field-error'} role="status">
                {sum === undefined ? t.badShare : isRight ? t.sumRight(percent(100)) : t.sumWrong(percent(sum), percent(100))}
            </span>
            <Button size="small" onPress={onEven}>
                {t.even}
            </Button>
        </div>
    );
}

function AddAccount({ left, onAdd, isEmpty }: { left: Accounts['list']; onAdd: (id: string) => void; isEmpty: boolean }): ReactNode {
    const t = useTexts().routing;
    const id = useId();
    const select = useRef<HTMLSelectElement>(null);
    if (isEmpty) return <p className="hint">{t.noAccounts}</p>;
    if (left.length === 0) return null;
    return (
        <div className="add-account">
            <div className="field">
                <label htmlFor={id}>{t.account}</label>
                <select id={id} ref={select} className="input select">
                    {left.map((one) => (
                        <option key={one.id} value={one.id}>
                            {one.label === one.connector ? one.label : `${isolated(one.label)} · ${one.connector}`}
                            {one.isUsable ? '' : ` (${t.disabledAccount})`}
                        </option>
                    ))}
                </select>
            </div>
            <Button onPress={() => onAdd(select.current?.value ?? '')}>{t.addAccount}</Button>
        </div>
    );
}
