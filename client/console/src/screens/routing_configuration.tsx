import { NotFoundError, routingActive, type RoutingConfiguration, routingRetrieve } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { address } from '../format/address.ts';
import { useAccounts } from '../routing/accounts.ts';
import { ActivateDialog } from '../routing/activation.tsx';
import { readAlgorithm } from '../routing/algorithm.ts';
import { draftOf } from '../routing/draft.ts';
import { EstimateSection } from '../routing/estimate.tsx';
import { Summary } from '../routing/summary.tsx';
import { Trial } from '../routing/trial.tsx';
import { ProfileName } from '../shell/profile_name.tsx';
import { useMay, useRead } from '../shell/session.tsx';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Badge, Foreign, Id, Moment } from '../ui/text.tsx';

export function Screen({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const read = useRead(['routing', 'configuration', id], (client, signal) => routingRetrieve(client, id, { signal }));
    if (read.data) return <Detail configuration={read.data} />;
    const isMissing = read.error instanceof NotFoundError;
    return (
        <Page title={texts.routing.configuration} name={texts.routing.configuration} back={['/routing', texts.nav.routing]}>
            {read.isPending ? <Loading /> : null}
            {isMissing ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
            {read.isError && !isMissing ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
        </Page>
    );
}

function Detail({ configuration }: { configuration: RoutingConfiguration }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const [, navigate] = useLocation();
    const { id, name, profile_id: profileId, algorithm, algorithm_for: use } = configuration;
    const accounts = useAccounts(profileId);
    const mayActivate = useMay('routing_activate');
    const mayCreate = useMay('routing_create');
    const [isActivating, setActivating] = useState(false);
    const active = useRead(['routing', 'active', profileId], (client, signal) => routingActive(client, { profile_id: profileId }, { signal }));
    const former = active.data?.algorithm ?? undefined;
    const isActive = former?.id === id;
    const read = readAlgorithm(algorithm);
    const canCopy = read !== undefined && draftOf(read, locale) !== undefined;
    return (
        <Page
            name={name}
            title={
                <span className="title-row">
                    <Foreign longest={64}>{name}</Foreign>
                    {active.data ? <Badge tone={isActive ? 'good' : 'calm'}>{isActive ? t.isActive : t.isNotActive}</Badge> : null}
                </span>
            }
            back={[address`/routing?profile=${profileId}`, texts.nav.routing]}
            actions={
                <>
                    {mayCreate && canCopy ? <Button onPress={() => navigate(address`/routing/new?profile=${profileId}&from=${id}`)}>{t.copy}</Button> : null}
                    {mayActivate && active.data && !isActive && use === 'payment' ? (
                        <Button look="primary" onPress={() => setActivating(true)}>
                            {t.activate}
                        </Button>
                    ) : null}
                </>
            }
        >
            <div className="split">
                <div>
                    <Section title={t.effect}>
                        <Summary algorithm={algorithm} accounts={accounts} />
                        {read && mayCreate && !canCopy ? <p className="hint after">{t.noCopy}</p> : null}
                    </Section>
                    {use === 'payment' && read ? <EstimateSection profileId={profileId} configuration={{ routing_id: id }} accounts={accounts} /> : null}
                    {use === 'payment' && read ? <Trial profileId={profileId} routingId={id} accounts={accounts} /> : null}
                </div>
                <div className="sidebar-facts">
                    <Section title={texts.common.details}>
                        <Facts
                            pairs={[
                                [texts.common.type, wordOf(t.kinds, algorithm.type)],
                                [texts.common.description, configuration.description ? <Foreign key="description">{configuration.description}</Foreign> : null],
                                [texts.common.created, <Moment key="created">{new Date(configuration.created_at).toISOString()}</Moment>],
                                [texts.shell.profile, <ProfileName key="profile" id={profileId} />],
                                [texts.common.id, <Id key="id">{id}</Id>],
                            ]}
                        />
                    </Section>
                </div>
            </div>
            {isActivating ? <ActivateDialog next={configuration} former={former} accounts={accounts} onClose={() => setActivating(false)} /> : null}
        </Page>
    );
}
