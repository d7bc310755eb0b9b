import { type RequestLogEntry, requestLogList, type RequestMethod, type RequestStatusClass } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { endOfDate, startOfDate } from '../format/time.ts';
import { useRead } from '../shell/session.tsx';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { Days, FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Badge, Moment } from '../ui/text.tsx';
import { answerTone } from '../ui/tones.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function Screen(): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.requests;
    const filters = useFilters();
    const { get } = filters;
    const numbers = new Intl.NumberFormat(locale);
    const start = startOfDate(get('from'));
    const end = endOfDate(get('until'));
    const query = {
        limit: PAGE,
        ...(get('payment_id') ? { payment_id: get('payment_id') } : {}),
        ...(get('object_id') ? { object_id: get('object_id') } : {}),
        ...(get('request_id') ? { request_id: get('request_id') } : {}),
        ...(get('caller_id') ? { caller_id: get('caller_id') } : {}),
        ...(get('method') ? { method: get('method') as RequestMethod } : {}),
        ...(get('class') ? { status_class: get('class') as RequestStatusClass } : {}),
        ...(start ? { 'requested_at.gte': start } : {}),
        ...(end ? { 'requested_at.lte': end } : {}),
        ...(filters.before ? { before: filters.before } : {}),
    };
    const list = useRead(['requests', query], (client, signal) => requestLogList(client, query, { signal }), { keep: true });
    const columns: readonly Column<RequestLogEntry>[] = [
        {
            name: t.operation,
            cell: (one) => (
                <Link className="row-link" href={address`/requests/${one.request_id}`}>
                    <span className="mono">{one.operation}</span>
                </Link>
            ),
        },
        {
            name: t.answer,
            cell: (one) => (
                <Badge tone={answerTone(one.status)}>
                    {one.status}
                    {one.error_code ? ` ${one.error_code}` : ''}
                </Badge>
            ),
        },
        { name: t.path, from: 'wide', cell: (one) => <bdi className="mono path">{`${one.method} ${one.path.slice(0, 80)}`}</bdi> },
        { name: t.caller, from: 'medium', cell: (one) => wordOf(t.callers, one.caller) },
        { name: t.duration, from: 'wide', isNumber: true, cell: (one) => t.ms(numbers.format(one.duration_ms)) },
        { name: t.time, cell: (one) => <Moment>{one.requested_at}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={t.searchBy} kinds={t.by} filters={filters} />
                <Choice label={t.answer} value={get('class')} onChange={(value) => filters.set({ class: value })} options={[['', texts.common.all], ...Object.entries(t.classes)]} />
                <Choice label={t.method} value={get('method')} onChange={(method) => filters.set({ method })} options={[['', texts.common.all], ...METHODS.map((method) => [method, method] as const)]} />
                <Days filters={filters} />
            </FilterBar>
            <List read={list} rows={list.data} isPagedByKey filters={filters} texts={t} columns={columns} keyOf={(one) => one.request_id} />
        </Page>
    );
}
