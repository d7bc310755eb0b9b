import type { ReactNode } from 'react';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';

/** A column of a table. */
export interface Column<Row> {
    name: string;
    /** The cell of a row. That of the first column is the row's heading. */
    cell: (row: Row) => ReactNode;
    isNumber?: boolean;
    /** The widths at which the column is shown; always when absent. */
    from?: 'medium' | 'wide';
    /** The word by which the server sorts this column. */
    sort?: string;
}

/** The order of a table, which the server makes. */
export interface Order {
    on: string;
    by: 'asc' | 'desc';
    change: (on: string, by: 'asc' | 'desc') => void;
}

export interface TableProps<Row> {
    caption: string;
    columns: readonly Column<Row>[];
    rows: readonly Row[];
    keyOf: (row: Row) => string;
    order?: Order;
    isStale?: boolean;
    /** No row has a link or a button, so the frame takes the focus and can be scrolled by keyboard. */
    isReadOnly?: boolean;
}

/** A table. Its first column holds the link of the row, which covers the row for the mouse. */
export function Table<Row>({ caption, columns, rows, keyOf, order, isStale = false, isReadOnly = false }: TableProps<Row>): ReactNode {
    return (
        <div className="table-frame" aria-busy={isStale} {...(isReadOnly ? { role: 'region', 'aria-label': caption, tabIndex: 0 } : {})}>
            <table className="table">
                <caption className="hidden">{caption}</caption>
                <thead>
                    <tr>
                        {columns.map((column) => (
                            <Heading key={column.name} column={column} order={order} />
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row) => (
                        <tr key={keyOf(row)}>
                            {columns.map((column, index) => {
                                const className = `${column.isNumber ? 'number' : ''} ${column.from ?? ''}`;
                                return index === 0 ? (
                                    <th key={column.name} scope="row" className={className}>
                                        {column.cell(row)}
                                    </th>
                                ) : (
                                    <td key={column.name} className={className}>
                                        {column.cell(row)}
                                    </td>
                                );
                            })}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function Heading<Row>({ column, order }: { column: Column<Row>; order: Order | undefined }): ReactNode {
    const texts = useTexts();
    const className = `${column.isNumber ? 'number' : ''} ${column.from ?? ''}`;
    const { sort } = column;
    if (!sort || !order) {
        return (
            <th scope="col" className={className}>
                {column.name}
            </th>
        );
    }
    const isOn = order.on === sort;
    const next = isOn && order.by === 'desc' ? 'asc' : 'desc';
    return (
        <th scope="col" className={className} aria-sort={isOn ? (order.by === 'asc' ? 'ascending' : 'descending') : 'none'}>
            <button type="button" className="sort" title={texts.common.sortBy(column.name)} onClick={() => order.change(sort, next)}>
                {column.name}
                <span aria-hidden="true" className="arrow">
                    {isOn ? (order.by === 'asc' ? '↑' : '↓') : '↕'}
                </span>
            </button>
        </th>
    );
}

/** The size of a page of every list. */
export const PAGE = 25;
/** The number at which the server stops counting. */
export const MANY = 10_000;

export interface PagerProps {
    offset: number;
    count: number;
    /** The number of all entries, if the server counts them. */
    total?: number | undefined;
    /** True while the page of the filters is awaited. The shown entries say nothing about what follows it. */
    isStale: boolean;
    change: (offset: number) => void;
}

/** The way to further pages of a list. */
export function Pager({ offset, count, total, isStale, change }: PagerProps): ReactNode {
    const { texts, locale } = useSpoken();
    const numbers = new Intl.NumberFormat(locale);
    const hasNext = total === undefined || total >= MANY ? count === PAGE : offset + count < total;
    const from = numbers.format(count ? offset + 1 : offset);
    const to = numbers.format(offset + count);
    const all = total === undefined ? undefined : total >= MANY ? texts.common.many : numbers.format(total);
    return (
        <nav className="pager" aria-label={texts.common.pages}>
            <span role="status">{all === undefined ? texts.common.rangeOpen(from, to) : texts.common.range(from, to, all)}</span>
            <span className="pager-buttons">
                <Button size="small" isDisabled={offset === 0} onPress={() => change(Math.max(0, offset - PAGE))}>
                    {texts.common.previous}
                </Button>
                <Button size="small" isDisabled={!hasNext} isPending={isStale} onPress={() => change(offset + PAGE)}>
                    {texts.common.next}
                </Button>
            </span>
        </nav>
    );
}

export interface OlderPagerProps {
    isFirst: boolean;
    /** True if the page has as many entries as fit, so that older ones may follow. */
    isFull: boolean;
    /** True while the page of the filters is awaited. The shown entries say nothing about what follows it. */
    isStale: boolean;
    change: (isOlder: boolean) => void;
}

/** The way to older entries and back to the newest, where the server pages by entries. */
export function OlderPager({ isFirst, isFull, isStale, change }: OlderPagerProps): ReactNode {
    const { common } = useTexts();
    if (isFirst && !isFull) return null;
    return (
        <nav className="pager" aria-label={common.pages}>
            <span className="pager-buttons">
                <Button size="small" isDisabled={isFirst} onPress={() => change(false)}>
                    {common.newest}
                </Button>
                <Button size="small" isDisabled={!isFull} isPending={isStale} onPress={() => change(true)}>
                    {common.older}
                </Button>
            </span>
        </nav>
    );
}
