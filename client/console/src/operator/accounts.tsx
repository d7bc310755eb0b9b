import { type MerchantAccountListed, merchantAccountsList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Foreign, Moment } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** The open merchant accounts of all organizations. */
export function Accounts(): ReactNode {
    const texts = useTexts();
    const t = texts.operator.accounts;
    const filters = useFilters();
    const search = filters.get('search');
    const query = { limit: PAGE, offset: filters.offset, ...(search ? { search } : {}) };
    const list = useOperatorRead(['accounts', query], (client, signal) => merchantAccountsList(client, query, { signal }), true);
    const columns: readonly Column<MerchantAccountListed>[] = [
        {
            name: texts.common.id,
            cell: (one) => (
                <Link className="row-link" href={address`/operator/accounts/${one.merchant_id}`}>
                    <bdi className="mono">{one.merchant_id}</bdi>
                </Link>
            ),
        },
        { name: t.name, cell: (one) => <Foreign longest={60}>{one.merchant_name}</Foreign> },
        { name: t.organization, from: 'medium', cell: (one) => <bdi className="mono">{one.organization_id}</bdi> },
        { name: texts.common.type, from: 'wide', cell: (one) => wordOf(t.types, one.merchant_account_type) },
        { name: texts.common.created, cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={texts.common.search} kinds={t.by} filters={filters} />
            </FilterBar>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={(one) => one.merchant_id} />
        </Page>
    );
}
