import { type UnresolvedOperation, unresolvedOperationsList } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Badge, Foreign, Id, Moment, Money } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** Returns a key that no other row of the list has. */
function keyOf(one: UnresolvedOperation): string {
    return [one.merchant_id, one.operation, one.processor_key].join(' ');
}

/** The operations at processors of which nobody knows the outcome yet. */
export function Unresolved(): ReactNode {
    const texts = useTexts();
    const t = texts.operator.unresolved;
    const filters = useFilters();
    const query = { limit: PAGE, offset: filters.offset };
    const list = useOperatorRead(['unresolved', query], (client, signal) => unresolvedOperationsList(client, query, { signal }), true);
    const columns: readonly Column<UnresolvedOperation>[] = [
        {
            name: t.operation,
            cell: (one) => (
                <>
                    {wordOf(t.kinds, one.operation)} <bdi className="mono">{one.refund_id ?? one.dispute_id ?? one.payment_id}</bdi>
                </>
            ),
        },
        { name: texts.common.amount, isNumber: true, cell: (one) => <Money amount={one.amount} currency={one.currency} /> },
        {
            name: t.progress,
            cell: (one) => (
                <Badge tone={one.progress === 'unknown' ? 'warn' : 'info'}>
                    {wordOf(t.progresses, one.progress)}
                    {one.reason ? ` (${wordOf(t.reasons, one.reason)})` : ''}
                </Badge>
            ),
        },
        { name: t.waits, from: 'medium', cell: (one) => wordOf(t.waitsFor, one.waits_for) },
        { name: t.merchant, from: 'medium', cell: (one) => <bdi className="mono">{one.merchant_id}</bdi> },
        { name: texts.common.processor, from: 'medium', cell: (one) => <Foreign longest={40}>{one.connector}</Foreign> },
        { name: t.processorKey, from: 'wide', cell: (one) => <Id>{one.processor_key}</Id> },
        { name: t.since, from: 'wide', cell: (one) => <Moment isRelative>{one.started_at}</Moment> },
        { name: t.next, cell: (one) => <Moment isRelative>{one.next_question_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={keyOf} isReadOnly />
        </Page>
    );
}
