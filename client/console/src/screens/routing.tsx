import { type ProfileDefaultRouting, routingActive, routingDefaultUpdateOfProfile, routingList, type RoutingRecord } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { address } from '../format/address.ts';
import { type Accounts, useAccounts } from '../routing/accounts.ts';
import { ActivateDialog, DeactivateDialog } from '../routing/activation.tsx';
import { type SelectionDraft, selectionDraft } from '../routing/draft.ts';
import { Dynamic } from '../routing/dynamic.tsx';
import { SelectionEditor } from '../routing/entries.tsx';
import { useRoutedProfile } from '../routing/profile.ts';
import { OrderedAccounts, Summary } from '../routing/summary.tsx';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { ActionDialog } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useChange } from '../ui/change.ts';
import { Choice } from '../ui/controls.tsx';
import { useFilters } from '../ui/filters.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';

const LIMIT = 100;

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.routing;
    const [, navigate] = useLocation();
    const filters = useFilters();
    const mayCreate = useMay('routing_create');
    const profile = useRoutedProfile(filters.get('profile'));
    const { current } = profile;
    const isMany = profile.all.length > 1;
    return (
        <Page
            title={t.title}
            name={t.title}
            lead={t.lead}
            actions={
                mayCreate && current ? (
                    <Button look="primary" onPress={() => navigate(address`/routing/new?profile=${current.profile_id}`)}>
                        {t.create}
                    </Button>
                ) : null
            }
        >
            {profile.isPending ? <Loading /> : null}
            {profile.error ? <Failure error={profile.error} retry={profile.retry} /> : null}
            {!profile.isPending && !profile.error && !current ? <Empty title={t.noProfileTitle}>{t.noProfile}</Empty> : null}
            {current && isMany ? (
                <div className="filters open">
                    <Choice label={texts.shell.profile} value={current.profile_id} onChange={(id) => filters.set({ profile: id })} options={profile.all} />
                </div>
            ) : null}
            {current ? <Profile key={current.profile_id} order={current} /> : null}
        </Page>
    );
}

function Profile({ order }: { order: ProfileDefaultRouting }): ReactNode {
    const id = order.profile_id;
    const accounts = useAccounts(id);
    const active = useRead(['routing', 'active', id], (client, signal) => routingActive(client, { profile_id: id }, { signal }));
    return (
        <div className="split">
            <div>
                <Active order={order} accounts={accounts} active={active} />
                <Earlier profileId={id} accounts={accounts} active={active.data?.algorithm ?? undefined} />
            </div>
            <div>
                <Dynamic profileId={id} accounts={accounts} />
            </div>
        </div>
    );
}

type ActiveRead = ReturnType<typeof useRead<Awaited<ReturnType<typeof routingActive>>>>;

function Active({ order, accounts, active }: { order: ProfileDefaultRouting; accounts: Accounts; active: ActiveRead }): ReactNode {
    const t = useTexts().routing;
    const mayChange = useMay('routing_deactivate');
    const mayOrder = useMay('routing_default_update_of_profile');
    const [isEnding, setEnding] = useState(false);
    const [isOrdering, setOrdering] = useState(false);
    const targets = order.connectors.map((one) => ({ connector: one.connector as string, id: one.merchant_connector_id as string }));
    const { algorithm } = active.data ?? {};
    const change =
        mayOrder && targets.length > 1 ? (
            <Button size="small" onPress={() => setOrdering(true)}>
                {t.changeOrder}
            </Button>
        ) : null;
    return (
        <>
            <Section
                title={t.active}
                actions={
                    algorithm && mayChange ? (
                        <Button size="small" look="danger" onPress={() => setEnding(true)}>
                            {t.deactivate}
                        </Button>
                    ) : null
                }
            >
                <ReadStatus read={active} />
                {active.data && !algorithm ? <p>{t.noneActive}</p> : null}
                {algorithm ? (
                    <div className="card">
                        <header>
                            <Link href={address`/routing/configurations/${algorithm.id}`}>
                                <Foreign longest={64}>{algorithm.name}</Foreign>
                            </Link>
                            <Badge tone="good">{wordOf(t.kinds, algorithm.algorithm.type)}</Badge>
                        </header>
                        {algorithm.description ? (
                            <p className="hint">
                                <Foreign>{algorithm.description}</Foreign>
                            </p>
                        ) : null}
                        <Summary algorithm={algorithm.algorithm} accounts={accounts} />
                    </div>
                ) : null}
            </Section>
            <Section title={t.defaultOrder} hint={algorithm ? t.defaultAfter : t.defaultHint} actions={change}>
                {targets.length === 0 ? <p className="hint">{t.noAccounts}</p> : <OrderedAccounts targets={targets} accounts={accounts} />}
            </Section>
            {isEnding && algorithm ? <DeactivateDialog profileId={order.profile_id} name={algorithm.name} onClose={() => setEnding(false)} /> : null}
            {isOrdering ? <OrderDialog order={order} accounts={accounts} onClose={() => setOrdering(false)} /> : null}
        </>
    );
}

/** The dialog that changes the default order. The list has exactly the accounts that are enabled now. */
function OrderDialog({ order, accounts, onClose }: { order: ProfileDefaultRouting; accounts: Accounts; onClose: () => void }): ReactNode {
    const t = useTexts().routing;
    const { client } = useSession();
    const [draft, setDraft] = useState<SelectionDraft>(() => selectionDraft({ kind: 'priority', targets: order.connectors.map((one) => ({ connector: one.connector, id: one.merchant_connector_id })) }));
    const action = useChange(async () => {
        const connectors = draft.entries.map(({ target }) => order.connectors.find((one) => one.merchant_connector_id === target.id)!);
        await routingDefaultUpdateOfProfile(client, order.profile_id, { connectors });
        return t.ordered;
    }, onClose);
    return (
        <ActionDialog title={t.orderTitle} submit={t.saveOrder} action={action} onClose={onClose} consequence={t.orderConsequence}>
            <SelectionEditor label={t.defaultOrder} draft={draft} onChange={setDraft} accounts={accounts} kinds={['priority']} isChecked={false} isFixed />
        </ActionDialog>
    );
}

function Earlier({ profileId, accounts, active }: { profileId: string; accounts: Accounts; active: { id: string; name: string } | undefined }): ReactNode {
    const texts = useTexts();
    const t = texts.routing;
    const mayActivate = useMay('routing_activate');
    const [next, setNext] = useState<RoutingRecord>();
    const list = useRead(['routing', 'list', profileId], (client, signal) => routingList(client, { profile_id: profileId, limit: LIMIT }, { signal }));
    // Elimination and success rates have switches of their own.
    const records = list.data?.records.filter((one) => one.kind !== 'dynamic') ?? [];
    const columns: readonly Column<RoutingRecord>[] = [
        {
            name: t.name,
            cell: (one) => (
                <Link href={address`/routing/configurations/${one.id}`}>
                    <Foreign longest={64}>{one.name}</Foreign>
                </Link>
            ),
        },
        { name: texts.common.type, from: 'medium', cell: (one) => wordOf(t.kinds, one.kind) },
        { name: texts.common.created, from: 'medium', cell: (one) => <Moment>{new Date(one.created_at).toISOString()}</Moment> },
        {
            name: t.state,
            cell: (one) => {
                if (one.id === active?.id) return <Badge tone="good">{t.isActive}</Badge>;
                if (!mayActivate) return <Badge tone="calm">{t.isNotActive}</Badge>;
                return (
                    <Button size="small" onPress={() => setNext(one)} label={`${t.activate}: ${one.name}`}>
                        {t.activate}
                    </Button>
                );
            },
        },
    ];
    return (
        <Section title={t.all} hint={t.allHint}>
            <ReadStatus read={list} />
            {list.data && records.length === 0 ? <p className="hint">{t.noneYet}</p> : null}
            {records.length > 0 ? <Table caption={t.all} columns={columns} rows={records} keyOf={(one) => one.id} /> : null}
            {(list.data?.records.length ?? 0) >= LIMIT ? <p className="hint">{t.more(LIMIT)}</p> : null}
            {next ? <ActivateDialog next={next} former={active} accounts={accounts} onClose={() => setNext(undefined)} /> : null}
        </Section>
    );
}
