import { type Dispute, disputesList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useRead } from '../shell/session.tsx';
import { type Texts, useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { amountOf, Badge, Foreign, Moment, Money } from '../ui/text.tsx';
import { disputeTone } from '../ui/tones.ts';

/** The columns of a list of disputes. */
export function disputeColumns(texts: Texts): readonly Column<Dispute>[] {
    return [
        {
            name: texts.common.amount,
            isNumber: true,
            cell: (one) => (
                <Link className="row-link" href={address`/disputes/${one.dispute_id}`}>
                    <DisputedMoney dispute={one} />
                    <span className="hidden">{one.dispute_id}</span>
                </Link>
            ),
        },
        { name: texts.common.status, cell: (one) => <Badge tone={disputeTone(one.dispute_status)}>{wordOf(texts.words.dispute, one.dispute_status)}</Badge> },
        { name: texts.disputes.stage, from: 'medium', cell: (one) => wordOf(texts.words.stage, one.dispute_stage) },
        { name: texts.common.reason, from: 'medium', cell: (one) => <Foreign longest={60}>{one.connector_reason}</Foreign> },
        {
            name: texts.disputes.due,
            cell: (one) => (one.dispute_status === 'dispute_opened' && one.challenge_required_by ? <Moment isRelative>{one.challenge_required_by}</Moment> : <span className="none">{texts.common.none}</span>),
        },
        { name: texts.common.payment, from: 'wide', cell: (one) => <bdi className="mono">{one.payment_id}</bdi> },
        { name: texts.dispute.learned, from: 'wide', cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
}

/** The disputed amount, which the contract writes as a text. */
export function DisputedMoney({ dispute }: { dispute: Dispute }): ReactNode {
    const amount = amountOf(dispute.amount);
    return amount === undefined ? <Foreign longest={40}>{dispute.amount}</Foreign> : <Money amount={amount} currency={dispute.currency} />;
}

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.disputes;
    const filters = useFilters();
    const { get, offset } = filters;
    const query = {
        limit: PAGE,
        offset,
        ...(get('dispute_id') ? { dispute_id: get('dispute_id') } : {}),
        ...(get('payment_id') ? { payment_id: get('payment_id') } : {}),
        ...(get('status') ? { dispute_status: get('status') } : {}),
        ...(get('stage') ? { dispute_stage: get('stage') } : {}),
    };
    const list = useRead(['disputes', query], (client, signal) => disputesList(client, query, { signal }), { keep: true });
    return (
        <Page title={t.title} name={t.title} lead={t.order} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={t.searchBy} kinds={t.by} filters={filters} />
                <Choice label={texts.common.status} value={get('status')} onChange={(status) => filters.set({ status })} options={[['', texts.common.all], ...Object.entries(texts.words.dispute)]} />
                <Choice label={t.stage} value={get('stage')} onChange={(stage) => filters.set({ stage })} options={[['', texts.common.all], ...Object.entries(texts.words.stage)]} />
            </FilterBar>
            <List read={list} rows={list.data} filters={filters} texts={t} columns={disputeColumns(texts)} keyOf={(one) => one.dispute_id} first={<Empty title={t.firstTitle}>{t.first}</Empty>} />
        </Page>
    );
}
