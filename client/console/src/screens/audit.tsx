import { type AuditOwnEntry, type AuditPrincipal, auditListOwn, teamList } from 'multirail';
import type { ReactNode } from 'react';
import { endOfDate, startOfDate } from '../format/time.ts';
import { useRead } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { Days, FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ReadStatus } from '../ui/states.tsx';
import { type Column, PAGE, Table } from '../ui/table.tsx';
import { Foreign, Moment } from '../ui/text.tsx';

/** The most members whose addresses are shown in place of their ids. */
const NAMED = 100;

/** The changes in the merchant account, newest first. */
export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.audit;
    const filters = useFilters();
    const { get } = filters;
    const start = startOfDate(get('from'));
    const end = endOfDate(get('until'));
    const before = Number(get('before'));
    const isLater = Number.isSafeInteger(before) && before > 0;
    const query = {
        limit: PAGE,
        ...(get('operation') ? { operation: get('operation') } : {}),
        ...(get('principal_id') ? { principal_id: get('principal_id') } : {}),
        ...(get('request_id') ? { request_id: get('request_id') } : {}),
        ...(get('principal') ? { principal: get('principal') as AuditPrincipal } : {}),
        ...(start ? { 'recorded_at.gte': start } : {}),
        ...(end ? { 'recorded_at.lte': end } : {}),
        ...(isLater ? { before } : {}),
    };
    const list = useRead(['audit', query], (client, signal) => auditListOwn(client, query, { signal }), { keep: true });
    const team = useRead(['team', 'names'], (client, signal) => teamList(client, { limit: NAMED }, { signal }));
    const emails = new Map(team.data?.map((one) => [one.user_id, one.email]));
    const columns: readonly Column<AuditOwnEntry>[] = [
        { name: t.operation, cell: (one) => <span className="mono">{one.operation}</span> },
        {
            name: t.who,
            cell: (one) => (
                <>
                    {wordOf(t.principals, one.principal)} {one.principal_id ? <Foreign longest={80}>{emails.get(one.principal_id) ?? one.principal_id}</Foreign> : null}
                </>
            ),
        },
        { name: t.objects, from: 'medium', cell: (one) => <Objects entry={one} emails={emails} /> },
        { name: t.address, from: 'wide', cell: (one) => <Foreign longest={50}>{one.ip_address}</Foreign> },
        { name: t.time, cell: (one) => <Moment>{one.recorded_at}</Moment> },
    ];
    const hasPages = isLater || (list.data?.length ?? 0) === PAGE;
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={t.searchBy} kinds={t.by} filters={filters} />
                <Choice label={t.who} value={get('principal')} onChange={(principal) => filters.set({ principal, before: '' })} options={[['', texts.common.all], ...Object.entries(t.principals)]} />
                <Days filters={filters} />
            </FilterBar>
            <ReadStatus read={list} />
            {list.data?.length === 0 && !list.isError ? (
                <Empty title={t.emptyTitle} action={filters.isAny ? <Button onPress={filters.clear}>{texts.common.clear}</Button> : null}>
                    {t.empty}
                </Empty>
            ) : null}
            {list.data && list.data.length > 0 && !list.isError ? <Table caption={t.caption} columns={columns} rows={list.data} keyOf={(one) => String(one.sequence)} isStale={list.isPlaceholderData} isReadOnly /> : null}
            {list.data && hasPages ? (
                <nav className="pager" aria-label={texts.common.pages}>
                    <span className="pager-buttons">
                        <Button size="small" isDisabled={!isLater} onPress={() => filters.set({ before: '' })}>
                            {texts.common.newest}
                        </Button>
                        <Button size="small" isDisabled={list.data.length < PAGE} onPress={() => filters.set({ before: String(list.data.at(-1)?.sequence ?? '') })}>
                            {texts.common.older}
                        </Button>
                    </span>
                </nav>
            ) : null}
        </Page>
    );
}

/** The changed objects, or what the path names if none is known. A user is shown by their address. */
function Objects({ entry, emails }: { entry: AuditOwnEntry; emails: ReadonlyMap<string, string> }): ReactNode {
    const texts = useTexts();
    const named = entry.objects.length > 0 ? entry.objects : entry.target;
    if (named.length === 0) return <span className="none">{texts.common.none}</span>;
    return (
        <ul className="plain-list">
            {named.map(({ name, id }) => (
                <li key={`${name} ${id}`}>
                    {wordOf(texts.audit.kinds, name)} <Foreign longest={80}>{emails.get(id) ?? id}</Foreign>
                </li>
            ))}
        </ul>
    );
}
