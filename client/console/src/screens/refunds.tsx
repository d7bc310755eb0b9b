import { type Refund, type RefundListRequest, refundsList, type RefundStatus } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { rangeOfDates } from '../format/time.ts';
import { useRead } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { Days, type Filters, FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Badge, Foreign, Moment, Money } from '../ui/text.tsx';
import { refundTone } from '../ui/tones.ts';
import { CURRENCIES } from './groups.ts';

function requestOf({ get, offset }: Filters): RefundListRequest {
    const range = rangeOfDates(get('from'), get('until'));
    return {
        limit: PAGE,
        offset,
        ...(get('refund_id') ? { refund_id: get('refund_id') } : {}),
        ...(get('payment_id') ? { payment_id: get('payment_id') } : {}),
        ...(get('status') ? { refund_status: [get('status') as RefundStatus] } : {}),
        ...(get('currency') ? { currency: [get('currency')] as RefundListRequest['currency'] & object } : {}),
        ...(range ? { time_range: range } : {}),
    };
}

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.refunds;
    const filters = useFilters();
    const request = requestOf(filters);
    const list = useRead(['refunds', request], (client, signal) => refundsList(client, request, { signal }), { keep: true });
    const columns: readonly Column<Refund>[] = [
        {
            name: texts.common.amount,
            isNumber: true,
            cell: (one) => (
                <Link className="row-link" href={address`/payments/${one.payment_id}`}>
                    <Money amount={one.amount} currency={one.currency} />
                    <span className="hidden">{one.refund_id}</span>
                </Link>
            ),
        },
        { name: texts.common.status, cell: (one) => <Badge tone={refundTone(one.status)}>{wordOf(texts.words.refund, one.status)}</Badge> },
        { name: texts.common.reason, from: 'medium', cell: (one) => <Foreign longest={60}>{one.error_message ?? one.reason}</Foreign> },
        { name: texts.common.payment, from: 'medium', cell: (one) => <bdi className="mono">{one.payment_id}</bdi> },
        { name: texts.common.processor, from: 'wide', cell: (one) => <Foreign longest={40}>{one.connector}</Foreign> },
        { name: texts.common.created, cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={t.searchBy} kinds={t.by} filters={filters} />
                <Choice label={texts.common.status} value={filters.get('status')} onChange={(status) => filters.set({ status })} options={[['', texts.common.all], ...Object.entries(texts.words.refund)]} />
                <Choice label={texts.common.currency} value={filters.get('currency')} onChange={(currency) => filters.set({ currency })} options={[['', texts.common.all], ...CURRENCIES.map((code) => [code, code] as const)]} />
                <Days filters={filters} />
            </FilterBar>
            <List
                read={list}
                rows={list.data?.data}
                total={list.data?.total_count}
                filters={filters}
                texts={t}
                columns={columns}
                keyOf={(one) => one.refund_id}
                first={
                    <Empty title={t.firstTitle} action={<Link href="/payments?group=succeeded">{t.open}</Link>}>
                        {t.first}
                    </Empty>
                }
            />
        </Page>
    );
}
