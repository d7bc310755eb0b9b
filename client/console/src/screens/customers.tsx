import { type Customer, customersList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { Button } from '../ui/controls.tsx';
import { Search, useFilters } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { type Column, PAGE, Pager, Table } from '../ui/table.tsx';
import { Foreign, Moment } from '../ui/text.tsx';

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.customers;
    const filters = useFilters();
    const { get, offset } = filters;
    const query = {
        limit: PAGE,
        offset,
        ...(get('email') ? { email: get('email') } : {}),
        ...(get('phone') ? { phone: get('phone') } : {}),
        ...(get('customer_id') ? { customer_id: get('customer_id') } : {}),
    };
    const list = useRead(['customers', query], (client, signal) => customersList(client, query, { signal }), { keep: true });
    const columns: readonly Column<Customer>[] = [
        {
            name: t.name,
            cell: (one) => (
                <Link className="row-link" href={`/customers/${encodeURIComponent(one.customer_id)}`}>
                    <Foreign longest={60}>{one.name ?? one.customer_id}</Foreign>
                </Link>
            ),
        },
        { name: t.email, cell: (one) => <Foreign longest={60}>{one.email}</Foreign> },
        { name: texts.common.id, from: 'medium', cell: (one) => <bdi className="mono">{one.customer_id}</bdi> },
        { name: texts.common.description, from: 'wide', cell: (one) => <Foreign longest={60}>{one.description}</Foreign> },
        { name: texts.common.created, from: 'medium', cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <div className="filters">
                <Search label={t.searchBy} kinds={t.by} filters={filters} />
            </div>
            {list.isPending ? <Loading /> : null}
            {list.isError ? <Failure error={list.error} retry={() => void list.refetch()} /> : null}
            {list.data && !list.isError && list.data.length === 0 && offset === 0 ? (
                filters.isAny ? (
                    <Empty title={t.emptyTitle} action={<Button onPress={filters.clear}>{texts.common.clear}</Button>}>
                        {t.empty}
                    </Empty>
                ) : (
                    <Empty title={t.firstTitle}>{t.first}</Empty>
                )
            ) : null}
            {list.data && !list.isError && (list.data.length > 0 || offset > 0) ? (
                <>
                    <Table caption={t.caption} columns={columns} rows={list.data} keyOf={(one) => one.customer_id} isStale={list.isPlaceholderData} />
                    <Pager offset={offset} count={list.data.length} change={(next) => filters.set({ offset: next ? String(next) : '' })} />
                </>
            ) : null}
        </Page>
    );
}
