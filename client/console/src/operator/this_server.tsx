import { healthDescribe, type ReadinessComponent, type ServerRetention } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Foreign } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** The server that answers: its version, its workers, and the time for which it keeps data. */
export function ThisServer(): ReactNode {
    const texts = useTexts();
    const t = texts.operator.server;
    const server = useOperatorRead(['server_details'], (client, signal) => healthDescribe(client, { signal }));
    const workers: readonly Column<ReadinessComponent>[] = [
        { name: t.part, cell: (one) => <bdi className="mono">{one.name}</bdi> },
        { name: texts.common.status, cell: (one) => <Badge tone={one.status === 'ready' ? 'good' : 'bad'}>{wordOf(t.statuses, one.status)}</Badge> },
    ];
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void server.refetch()}>{texts.common.refresh}</Button>}>
            <ReadStatus read={server} />
            {server.data ? (
                <>
                    <Section title={t.version}>
                        <Facts
                            pairs={[
                                [t.version, server.data.version],
                                [t.address, <Foreign>{server.data.public_url}</Foreign>],
                                [t.mode, server.data.is_sandbox ? texts.mode.testHint : texts.mode.liveHint],
                            ]}
                        />
                    </Section>
                    <Section title={t.workers}>
                        <Table caption={t.workers} columns={workers} rows={server.data.components} keyOf={(one) => one.name} isReadOnly />
                    </Section>
                    <Retention times={server.data.retention} />
                </>
            ) : null}
        </Page>
    );
}

function Retention({ times }: { times: ServerRetention }): ReactNode {
    const t = useTexts().operator.server.retention;
    return (
        <Section title={t.title} hint={t.hint}>
            <Facts
                pairs={[
                    [t.answers, t.hours(times.idempotency_hours)],
                    [t.commits, t.days(times.change_set_days)],
                    [t.requests, t.days(times.request_log_days)],
                    [t.events, t.days(times.event_days)],
                ]}
            />
        </Section>
    );
}
