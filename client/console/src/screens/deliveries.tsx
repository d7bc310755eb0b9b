import { type Event, type EventClass, type EventListRequest, eventsList } from 'multirail';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { endOfDate, startOfDate } from '../format/time.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { Days, FilterBar, Search, useFilters } from '../ui/filters.tsx';
import { List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { type Column, PAGE } from '../ui/table.tsx';
import { Badge, Moment } from '../ui/text.tsx';
import { deliveryTone } from '../ui/tones.ts';
import { useEndpoints } from '../webhooks/endpoint.ts';
import { useEndpointProfile } from '../webhooks/profile.ts';

/** The state of an event's delivery. */
export function Delivered({ isDelivered }: { isDelivered: boolean | null }): ReactNode {
    const t = useTexts().deliveries;
    return <Badge tone={deliveryTone(isDelivered)}>{isDelivered === null ? t.unsent : isDelivered ? t.delivered : t.failed}</Badge>;
}

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.deliveries;
    const { user, profileId } = useSession();
    const filters = useFilters();
    const { get, offset } = filters;
    const start = startOfDate(get('from'));
    const end = endOfDate(get('until'));
    const request: EventListRequest = {
        limit: PAGE,
        offset,
        ...(profileId ? { profile_id: profileId } : {}),
        ...(get('object_id') ? { object_id: get('object_id') } : {}),
        ...(get('delivered') ? { is_delivered: get('delivered') === 'yes' } : {}),
        ...(get('endpoint') ? { webhook_endpoint_id: get('endpoint') } : {}),
        ...(get('class') ? { event_classes: [get('class') as EventClass] } : {}),
        ...(start ? { created_after: start } : {}),
        ...(end ? { created_before: end } : {}),
    };
    const list = useRead(['events', request], (client, signal) => eventsList(client, user.merchant_id, request, { signal }), { keep: true });
    const columns: readonly Column<Event>[] = [
        {
            name: t.event,
            cell: (one) => (
                <Link className="row-link" href={address`/deliveries/${one.event_id}`}>
                    {wordOf(texts.words.event, one.event_type)}
                </Link>
            ),
        },
        { name: t.filter, cell: (one) => <Delivered isDelivered={one.is_delivery_successful} /> },
        { name: t.object, from: 'medium', cell: (one) => <bdi className="mono">{one.object_id}</bdi> },
        { name: t.classes, from: 'wide', cell: (one) => wordOf(texts.words.eventClass, one.event_class) },
        { name: texts.common.created, cell: (one) => <Moment>{one.created}</Moment> },
    ];
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void list.refetch()}>{texts.common.refresh}</Button>}>
            <FilterBar filters={filters}>
                <Search label={t.objectId} kinds={{ object_id: t.objectId }} filters={filters} />
                <Choice
                    label={t.filter}
                    value={get('delivered')}
                    onChange={(delivered) => filters.set({ delivered })}
                    options={[
                        ['', t.any],
                        ['yes', t.delivered],
                        ['no', t.open],
                    ]}
                />
                <Choice label={t.classes} value={get('class')} onChange={(value) => filters.set({ class: value })} options={[['', texts.common.all], ...Object.entries(texts.words.eventClass)]} />
                <EndpointFilter value={get('endpoint')} onChange={(endpoint) => filters.set({ endpoint })} />
                <Days filters={filters} />
            </FilterBar>
            <List read={list} rows={list.data?.events} total={list.data?.total_count} filters={filters} texts={t} columns={columns} keyOf={(one) => one.event_id} />
        </Page>
    );
}

/** The choice of an endpoint. Without further endpoints there is nothing to choose. */
function EndpointFilter({ value, onChange }: { value: string; onChange: (endpoint: string) => void }): ReactNode {
    const t = useTexts().deliveries;
    const profile = useEndpointProfile('');
    const list = useEndpoints(profile.id, useMay('webhook_endpoints_list'));
    const endpoints = list.data ?? [];
    if (endpoints.length === 0 && !value) return null;
    const options = endpoints.map((one) => [one.webhook_endpoint_id, one.description ?? one.webhook_url] as const);
    const isListed = !value || options.some(([id]) => id === value);
    return <Choice label={t.endpoint} value={value} onChange={onChange} options={[['', t.ownAddress], ...options, ...(isListed ? [] : [[value, value] as const])]} />;
}
