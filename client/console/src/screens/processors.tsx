import { type ConnectorAccountListItem, connectorAccountsList } from 'multirail';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { address } from '../format/address.ts';
import { useConnectors } from '../processors/connectors.ts';
import { Matrix } from '../processors/matrix.tsx';
import { State, System } from '../processors/state.tsx';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Empty, ReadStatus } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Foreign } from '../ui/text.tsx';

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const { user } = useSession();
    const [, navigate] = useLocation();
    const mayCreate = useMay('connector_accounts_create');
    const list = useRead(['connectors'], (client, signal) => connectorAccountsList(client, user.merchant_id, { signal }));
    const connectors = useConnectors().data ?? [];
    const accounts = list.data ?? [];
    const payers = accounts.filter((one) => one.connector_type === 'payment_processor');
    const hasOthers = payers.length < accounts.length;
    const methodsOf = (one: ConnectorAccountListItem): string => {
        if (one.payment_methods_enabled === null) return t.everything;
        return [...new Set(one.payment_methods_enabled.map((entry) => wordOf(texts.words.method, entry.payment_method)))].join(', ') || t.nothing;
    };
    const columns: readonly Column<ConnectorAccountListItem>[] = [
        {
            name: texts.home.account,
            cell: (one) => (
                <Link className="row-link" href={address`/processors/accounts/${one.merchant_connector_id}`}>
                    <Foreign longest={60}>{one.connector_label ?? one.connector_name}</Foreign>
                </Link>
            ),
        },
        { name: texts.home.state, cell: (one) => <State account={one} /> },
        { name: t.system, cell: (one) => <System account={one} /> },
        { name: texts.common.processor, from: 'medium', cell: (one) => one.connector_name },
        ...(hasOthers ? [{ name: t.service, from: 'wide', cell: (one) => wordOf(t.services, one.connector_type) } satisfies Column<ConnectorAccountListItem>] : []),
        { name: t.methods, from: 'medium', cell: methodsOf },
    ];
    const create = mayCreate ? (
        <Button look="primary" onPress={() => navigate('/processors/new')}>
            {t.connect}
        </Button>
    ) : null;
    return (
        <Page title={t.title} name={t.title} lead={t.lead} actions={create}>
            <ReadStatus read={list} />
            {list.data?.length === 0 ? (
                <Empty title={t.emptyTitle}>{mayCreate ? t.empty : t.emptyViewer}</Empty>
            ) : null}
            {accounts.length > 0 ? (
                <>
                    <div className="section">
                        <Table caption={t.caption} columns={columns} rows={accounts} keyOf={(one) => one.merchant_connector_id} />
                    </div>
                    <Section title={t.matrix} hint={t.matrixHint}>
                        <Matrix accounts={payers} connectors={connectors} />
                    </Section>
                </>
            ) : null}
        </Page>
    );
}
