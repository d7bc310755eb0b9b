import { type KeyRotation, keysRetrieve, type ServiceDataKey, type ServiceKeys } from 'multirail';
import type { ReactNode } from 'react';
import { useSpoken, useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Id, Moment } from '../ui/text.tsx';
import { useOperatorRead } from './session.tsx';

/** The names of the keys that seal stored data, the latest rotation, and the commands that change them. No key is shown. */
export function Keys(): ReactNode {
    const texts = useTexts();
    const t = texts.operator.keys;
    const read = useOperatorRead(['keys'], (client, signal) => keysRetrieve(client, { signal }));
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={<Button onPress={() => void read.refetch()}>{texts.common.refresh}</Button>}>
            <ReadStatus read={read} />
            {read.data ? (
                <>
                    <Names keys={read.data} />
                    <Rotation rotation={read.data.rotation} />
                    <Changes keys={read.data} />
                </>
            ) : null}
        </Page>
    );
}

function Names({ keys }: { keys: ServiceKeys }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.operator.keys;
    const numbers = new Intl.NumberFormat(locale);
    const columns: readonly Column<ServiceDataKey>[] = [
        { name: t.dataKey, cell: (one) => <Id>{one.key_id}</Id> },
        { name: texts.common.status, cell: (one) => wordOf(t.uses, one.status) },
        { name: texts.common.created, cell: (one) => <Moment>{one.created_at}</Moment> },
    ];
    return (
        <Section title={t.names}>
            {keys.master_key === null ? (
                <p className="alert warn" role="status">
                    {t.otherMasterKey}
                </p>
            ) : null}
            <Facts
                pairs={[
                    [t.masterKey, keys.master_key === null ? null : <Id>{keys.master_key}</Id>],
                    [t.nextMasterKey, keys.next_master_key === null ? null : <Id>{keys.next_master_key}</Id>],
                    [t.merchants, numbers.format(keys.merchants_with_keys)],
                    [t.customers, numbers.format(keys.customers_with_keys)],
                    [t.destroyed, numbers.format(keys.customers_with_destroyed_keys)],
                ]}
            />
            <Table caption={t.dataKeys} columns={columns} rows={keys.data_keys} keyOf={(one) => one.key_id} />
        </Section>
    );
}

/** The latest rotation of data keys. It goes on by itself, whatever the operator does here. */
function Rotation({ rotation }: { rotation: KeyRotation | null }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.operator.keys.rotation;
    const numbers = new Intl.NumberFormat(locale);
    if (!rotation) {
        return (
            <Section title={t.title}>
                <p>{t.none}</p>
            </Section>
        );
    }
    const { rows_in_all: all, looked_at: looked } = rotation;
    return (
        <Section title={t.title}>
            {rotation.unreadable > 0 ? (
                <p className="alert warn" role="status">
                    {t.unreadable(numbers.format(rotation.unreadable))}
                </p>
            ) : null}
            <Facts
                pairs={[
                    [texts.common.status, <Badge tone={rotation.status === 'finished' ? 'good' : 'info'}>{wordOf(t.statuses, rotation.status)}</Badge>],
                    [t.pass, numbers.format(rotation.pass)],
                    [t.place, rotation.at === null ? null : <bdi className="mono">{rotation.at}</bdi>],
                    [t.looked, all === null ? numbers.format(looked) : t.of(numbers.format(looked), numbers.format(all))],
                    [t.sealed, numbers.format(rotation.sealed_anew)],
                    [t.begun, <Moment>{rotation.started_at}</Moment>],
                    [t.finished, rotation.finished_at === null ? null : <Moment>{rotation.finished_at}</Moment>],
                ]}
            />
        </Section>
    );
}

/** The commands that change the keys, each with its consequence. The session of the operator only reads. */
function Changes({ keys }: { keys: ServiceKeys }): ReactNode {
    const t = useTexts().operator.keys.changes;
    const isMasterChanging = keys.next_master_key !== null;
    const isRunning = keys.rotation?.status === 'running';
    const commands: readonly { name: string; consequence: string; command: string }[] = isMasterChanging
        ? [{ name: t.finish, consequence: t.finishConsequence, command: 'multirail keys rotate --finish' }]
        : [
              { name: t.dataKeys, consequence: t.dataKeysConsequence, command: 'multirail keys rotate' },
              { name: t.masterKey, consequence: t.masterKeyConsequence, command: 'multirail keys rotate --master-key /etc/multirail/next.key' },
          ];
    return (
        <Section title={t.title} hint={t.hint}>
            {isRunning && !isMasterChanging ? (
                <p>{t.wait}</p>
            ) : (
                commands.map(({ name, consequence, command }) => (
                    <div key={command}>
                        <h3>{name}</h3>
                        <p>{consequence}</p>
                        <p>
                            <Id>{command}</Id>
                        </p>
                    </div>
                ))
            )}
        </Section>
    );
}
