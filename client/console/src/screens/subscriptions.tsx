import { type Subscription, type SubscriptionStatus, userSubscriptionsList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useRead } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';
import { subscriptionTone } from '../ui/tones.ts';

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.subscriptions;
    const filters = useFilters();
    const { get, offset } = filters;
    const query = {
        limit: PAGE,
        offset,
        ...(get('status') ? { status: get('status') as SubscriptionStatus } : {}),
        ...(get('customer_id') ? { customer_id: get('customer_id') } : {}),
    };
    const list = useRead(['subscriptions', query], (client, signal) => userSubscriptionsList(client, query, { signal }), { keep: true });
    const columns: readonly Column<Subscription>[] = [
        {
            name: t.plan,
            cell: (one) => (
                <Link className="row-link" href={address`/subscriptions/${one.id}`}>
                    <Foreign longest={60}>{one.plan_id ?? one.id}</Foreign>
                    <span className="hidden">{one.id}</span>
                </Link>
            ),
        },
        { name: texts.common.status, cell: (one) => <Badge tone={subscriptionTone(one.status)}>{wordOf(texts.words.subscription, one.status)}</Badge> },
        { name: texts.common.customer, from: 'medium', cell: (one) => <bdi className="mono">{one.customer_id}</bdi> },
        { name: t.reference, from: 'wide', cell: (one) => <Foreign longest={40}>{one.merchant_reference_id}</Foreign> },
        { name: t.next, from: 'medium', cell: (one) => <Moment>{one.next_billing_at}</Moment> },
        { name: texts.common.created, from: 'wide', cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={t.searchBy} kinds={t.by} filters={filters} />
                <Choice label={texts.common.status} value={get('status')} onChange={(status) => filters.set({ status })} options={[['', texts.common.all], ...Object.entries(texts.words.subscription)]} />
            </FilterBar>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={columns} keyOf={(one) => one.id} first={<Empty title={t.firstTitle}>{t.first}</Empty>} />
        </Page>
    );
}
