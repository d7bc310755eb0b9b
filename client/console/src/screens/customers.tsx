import { type Customer, customersList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useRead } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
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
                <Link className="row-link" href={address`/customers/${one.customer_id}`}>
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
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={(one) => one.customer_id} first={<Empty title={t.firstTitle}>{t.first}</Empty>} />
        </Page>
    );
}
