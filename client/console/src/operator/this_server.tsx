import { healthDescribe, keysRetrieve, type ReadinessComponent, type ServiceDataKey } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Foreign, Id } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** The server that answers: its version and its workers; and the keys of the service, without any key. */
export function ThisServer(): ReactNode {
    const texts = useTexts();
    const t = texts.operator.server;
    const server = useOperatorRead(['server_details'], (client, signal) => healthDescribe(client, { signal }));
    const keys = useOperatorRead(['keys'], (client, signal) => keysRetrieve(client, { signal }));
    const workers: readonly Column<ReadinessComponent>[] = [
        { name: t.part, cell: (one) => <bdi className="mono">{one.name}</bdi> },
        { name: texts.common.status, cell: (one) => <Badge tone={one.status === 'ready' ? 'good' : 'bad'}>{wordOf(t.statuses, one.status)}</Badge> },
    ];
    const dataKeys: readonly Column<ServiceDataKey>[] = [
        { name: t.dataKey, cell: (one) => <Id>{one.key_id}</Id> },
        { name: texts.common.status, cell: (one) => wordOf(t.uses, one.status) },
    ];
    const refresh = (): void => {
        void server.refetch();
        void keys.refetch();
    };
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={refresh}>{texts.common.refresh}</Button>}>
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
                </>
            ) : null}
            <Section title={t.keys} hint={t.keysHint}>
                <ReadStatus read={keys} />
                {keys.data ? (
                    <>
                        <Facts
                            pairs={[
                                [t.masterKey, <Id>{keys.data.master_key}</Id>],
                                [t.nextMasterKey, keys.data.next_master_key ? <Id>{keys.data.next_master_key}</Id> : null],
                                [t.merchants, String(keys.data.merchants_with_keys)],
                                [t.customers, String(keys.data.customers_with_keys)],
                                [t.destroyed, String(keys.data.customers_with_destroyed_keys)],
                            ]}
                        />
                        <Table caption={t.keys} columns={dataKeys} rows={keys.data.data_keys} keyOf={(one) => one.key_id} />
                    </>
                ) : null}
            </Section>
        </Page>
    );
}
