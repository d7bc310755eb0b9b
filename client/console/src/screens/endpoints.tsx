import type { WebhookEndpoint } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { useMay } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/controls.tsx';
import { useFilters } from '../ui/filters.tsx';
import { Page } from '../ui/page.tsx';
import { SecretDialog } from '../ui/secret_dialog.tsx';
import { Empty, Failure, ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Foreign, type Tone } from '../ui/text.tsx';
import { DeleteDialog, EditDialog, ReplayDialog, TestDialog, ToggleDialog } from '../webhooks/dialogs.tsx';
import { isStopped, useEndpoints } from '../webhooks/endpoint.ts';
import { useEndpointProfile } from '../webhooks/profile.ts';

const TONES: Readonly<Record<string, Tone>> = { active: 'good', failing: 'warn', paused: 'bad' };

type Open = { kind: 'edit' | 'toggle' | 'delete' | 'test' | 'replay'; endpoint: WebhookEndpoint } | { kind: 'add' } | { kind: 'made'; secret: string };

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.endpoints;
    const filters = useFilters();
    const profile = useEndpointProfile(filters.get('profile'));
    const profileId = profile.id;
    const [open, setOpen] = useState<Open>();
    const mayCreate = useMay('webhook_endpoints_create');
    const list = useEndpoints(profileId);
    const close = (): void => setOpen(undefined);
    const columns: readonly Column<WebhookEndpoint>[] = [
        {
            name: t.url,
            cell: (one) => (
                <>
                    <bdi className="mono">{one.webhook_url}</bdi>
                    {one.description ? (
                        <p className="hint">
                            <Foreign longest={80}>{one.description}</Foreign>
                        </p>
                    ) : null}
                </>
            ),
        },
        { name: t.events, from: 'medium', cell: (one) => (one.event_types.length === 0 ? t.allEvents : t.chosen(one.event_types.length)) },
        { name: t.state, cell: (one) => <State endpoint={one} /> },
        { name: texts.nav.deliveries, from: 'wide', cell: (one) => <Link href={address`/deliveries?endpoint=${one.webhook_endpoint_id}`}>{t.deliveries}</Link> },
        { name: t.actions, cell: (one) => <Actions endpoint={one} onOpen={(kind) => setOpen({ kind, endpoint: one })} /> },
    ];
    const add =
        mayCreate && profileId ? (
            <Button look="primary" onPress={() => setOpen({ kind: 'add' })}>
                {t.add}
            </Button>
        ) : null;
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={add}>
            {profile.all.length > 1 && profileId ? <Choice label={texts.shell.profile} value={profileId} onChange={(id) => filters.set({ profile: id })} options={profile.all} /> : null}
            {profile.error ? <Failure error={profile.error} retry={profile.retry} /> : <ReadStatus read={list} />}
            {list.data?.length === 0 ? <Empty title={t.emptyTitle}>{t.empty}</Empty> : null}
            {list.data && list.data.length > 0 ? <Table caption={t.caption} columns={columns} rows={list.data} keyOf={(one) => one.webhook_endpoint_id} /> : null}
            {open?.kind === 'add' && profileId ? <EditDialog profileId={profileId} onClose={close} onMade={(secret) => setOpen({ kind: 'made', secret })} /> : null}
            {open?.kind === 'made' ? <SecretDialog secret={open.secret} texts={t} onClose={close} /> : null}
            {open?.kind === 'edit' && profileId ? <EditDialog profileId={profileId} endpoint={open.endpoint} onClose={close} /> : null}
            {open?.kind === 'toggle' ? <ToggleDialog endpoint={open.endpoint} onClose={close} /> : null}
            {open?.kind === 'delete' ? <DeleteDialog endpoint={open.endpoint} onClose={close} /> : null}
            {open?.kind === 'test' ? <TestDialog endpoint={open.endpoint} onClose={close} /> : null}
            {open?.kind === 'replay' ? <ReplayDialog endpoint={open.endpoint} onClose={close} /> : null}
        </Page>
    );
}

function State({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
    const t = useTexts().endpoints;
    if (endpoint.disabled) return <Badge tone="calm">{t.off}</Badge>;
    const { state } = endpoint.webhook_delivery;
    return <Badge tone={TONES[state] ?? 'calm'}>{wordOf(t.states, state)}</Badge>;
}

function Actions({ endpoint, onOpen }: { endpoint: WebhookEndpoint; onOpen: (kind: 'edit' | 'toggle' | 'delete' | 'test' | 'replay') => void }): ReactNode {
    const t = useTexts().endpoints;
    const mayUpdate = useMay('webhook_endpoints_update');
    const toggle = endpoint.disabled ? t.enable : isStopped(endpoint) ? t.resume : t.disable;
    const actions = [
        ['test', t.test, useMay('webhook_endpoints_test')],
        ['replay', t.replay, useMay('webhook_endpoints_replay')],
        ['edit', t.edit, mayUpdate],
        ['toggle', toggle, mayUpdate],
        ['delete', t.delete, useMay('webhook_endpoints_delete')],
    ] as const;
    return (
        <span className="title-row">
            {actions.map(([kind, text, isAllowed]) =>
                isAllowed ? (
                    <Button key={kind} size="small" onPress={() => onOpen(kind)} label={`${text}: ${endpoint.webhook_url}`}>
                        {text}
                    </Button>
                ) : null,
            )}
        </span>
    );
}
