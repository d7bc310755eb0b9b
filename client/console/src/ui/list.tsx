import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';
import type { Filters } from './filters.tsx';
import { Empty, ReadStatus } from './states.tsx';
import { OlderPager, PAGE, Pager, Table, type TableProps } from './table.tsx';

export interface ListProps<Row> extends Omit<TableProps<Row>, 'caption' | 'rows' | 'isStale'> {
    read: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch' | 'isPlaceholderData'>;
    /** The page that was read. */
    rows: readonly Row[] | undefined;
    /** The number of all entries, if the server counts them. */
    total?: number | undefined;
    /** True if the server returns the entries before an entry, which the keys of the rows name. */
    isPagedByKey?: boolean;
    filters: Filters;
    texts: { caption: string; emptyTitle: string; empty: string };
    /** The advice for a list that is empty without filters. */
    first?: ReactNode;
}

/** A filtered list that the server pages: a table with its pager, or why it has no rows. */
export function List<Row>({ read, rows, total, isPagedByKey = false, filters, texts, first, ...table }: ListProps<Row>): ReactNode {
    const { common } = useTexts();
    const { isPlaceholderData: isStale } = read;
    if (!rows || read.isError) return <ReadStatus read={read} />;
    if (rows.length === 0 && filters.isFirstPage) {
        if (!filters.isAny && first) return first;
        return (
            <Empty title={texts.emptyTitle} action={filters.isAny ? <Button onPress={filters.clear}>{common.clear}</Button> : null}>
                {texts.empty}
            </Empty>
        );
    }
    if (rows.length === 0) {
        // A page of an old link, or the rest of the list was worked off meanwhile.
        return (
            <Empty title={common.endTitle} action={<Button onPress={() => filters.set({})}>{common.firstPage}</Button>}>
                {common.end}
            </Empty>
        );
    }
    const last = rows.at(-1);
    return (
        <>
            <Table {...table} caption={texts.caption} rows={rows} isStale={isStale} />
            {isPagedByKey ? (
                <OlderPager isFirst={filters.isFirstPage} isFull={rows.length === PAGE} isStale={isStale} change={(isOlder) => filters.set({ before: isOlder && last ? table.keyOf(last) : '' })} />
            ) : (
                <Pager offset={filters.offset} count={rows.length} total={total} isStale={isStale} change={(next) => filters.set({ offset: next ? String(next) : '' })} />
            )}
        </>
    );
}
