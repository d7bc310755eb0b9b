import type { UseQueryResult } from '@tanstack/react-query';
import { type ConnectorAccount, connectorAccountsCheck, connectorAccountsRetrieve, NotFoundError } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { address } from '../format/address.ts';
import { CredentialsCheck } from '../processors/check.tsx';
import { useConnector } from '../processors/connectors.ts';
import { DeleteDialog, EditDialog, isAsked, ReplaceDialog, ToggleDialog, WebhookSecretDialog } from '../processors/dialogs.tsx';
import { MethodsSection } from '../processors/methods_section.tsx';
import { State, System } from '../processors/state.tsx';
import { ProfileName } from '../shell/profile_name.tsx';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, Outdated } from '../ui/states.tsx';
import { Foreign, Id } from '../ui/text.tsx';

export function Screen({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const { user } = useSession();
    const read = useRead(['connector', id], (client, signal) => connectorAccountsRetrieve(client, user.merchant_id, id, { signal }));
    if (read.data) return <Detail account={read.data} read={read} />;
    const isMissing = read.error instanceof NotFoundError;
    return (
        <Page title={texts.processors.one} name={texts.processors.one} back={['/processors', texts.nav.processors]}>
            {read.isPending ? <Loading /> : null}
            {isMissing ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
            {read.isError && !isMissing ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
        </Page>
    );
}

type Open = 'edit' | 'toggle' | 'replace' | 'secret' | 'delete';

function Detail({ account, read }: { account: ConnectorAccount; read: UseQueryResult<ConnectorAccount> }): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const mayUpdate = useMay('connector_accounts_update');
    const mayDelete = useMay('connector_accounts_delete');
    const mayCheck = useMay('connector_accounts_check');
    const { client, user } = useSession();
    const connector = useConnector(account.connector_name);
    const [open, setOpen] = useState<Open>();
    const close = (): void => setOpen(undefined);
    const name = account.connector_label ?? account.connector_name;
    const details = account.connector_account_details;
    const isOn = !account.disabled && account.status === 'active';
    return (
        <Page
            name={name.slice(0, 60)}
            title={
                <span className="title-row">
                    <Foreign longest={80}>{name}</Foreign> <State account={account} /> <System account={account} />
                </span>
            }
            back={['/processors', texts.nav.processors]}
            actions={
                <>
                    {mayUpdate ? <Button onPress={() => setOpen('edit')}>{t.edit}</Button> : null}
                    {mayUpdate ? <Button look={isOn ? 'plain' : 'primary'} onPress={() => setOpen('toggle')}>{isOn ? t.disable : t.enable}</Button> : null}
                    {mayDelete ? (
                        <Button look="danger" onPress={() => setOpen('delete')}>
                            {t.delete}
                        </Button>
                    ) : null}
                </>
            }
        >
            <Outdated read={read} />
            <div className="split">
                <div>
                    <MethodsSection account={account} mayUpdate={mayUpdate} />
                    <Section
                        title={t.credentials}
                        actions={
                            mayUpdate ? (
                                <Button size="small" onPress={() => setOpen('replace')}>
                                    {t.replace}
                                </Button>
                            ) : null
                        }
                    >
                        <p>{details ? t.stored(t.authKinds[details.auth_type] ?? details.auth_type) : t.noCredentials}</p>
                        <p className="hint">{t.neverShown}</p>
                        {mayCheck && details && isAsked(account, connector) ? (
                            <>
                                <p className="hint">{t.checkStored}</p>
                                <CredentialsCheck ask={() => connectorAccountsCheck(client, user.merchant_id, account.merchant_connector_id)} />
                            </>
                        ) : null}
                    </Section>
                    <Webhook account={account} onReplace={mayUpdate ? () => setOpen('secret') : undefined} />
                    {account.metadata && Object.keys(account.metadata).length > 0 ? (
                        <Section title={t.settings}>
                            <Code label={t.settings}>{JSON.stringify(account.metadata)}</Code>
                        </Section>
                    ) : null}
                </div>
                <div className="sidebar-facts">
                    <Section title={texts.common.details}>
                        <Facts
                            pairs={[
                                [texts.common.processor, account.connector_name],
                                [t.service, wordOf(t.services, account.connector_type)],
                                [texts.shell.profile, <ProfileName key="profile" id={account.profile_id} />],
                                [texts.common.id, <Id key="id">{account.merchant_connector_id}</Id>],
                                [
                                    texts.nav.payments,
                                    <Link key="payments" href={address`/payments?account=${account.merchant_connector_id}`}>
                                        {t.itsPayments}
                                    </Link>,
                                ],
                            ]}
                        />
                    </Section>
                </div>
            </div>
            {open === 'edit' ? <EditDialog account={account} onClose={close} /> : null}
            {open === 'toggle' ? <ToggleDialog account={account} onClose={close} /> : null}
            {open === 'replace' ? <ReplaceDialog account={account} onClose={close} /> : null}
            {open === 'secret' ? <WebhookSecretDialog account={account} onClose={close} /> : null}
            {open === 'delete' ? <DeleteDialog account={account} onClose={close} /> : null}
        </Page>
    );
}

function Webhook({ account, onReplace }: { account: ConnectorAccount; onReplace: (() => void) | undefined }): ReactNode {
    const t = useTexts().processors;
    if (account.connector_type !== 'payment_processor') return null;
    const address = account.connector_webhook_url;
    return (
        <Section
            title={t.webhook}
            actions={
                onReplace ? (
                    <Button size="small" onPress={onReplace}>
                        {t.replaceSecret}
                    </Button>
                ) : null
            }
        >
            <p className="hint">{address ? t.webhookHint : t.webhookNone}</p>
            {address ? (
                <p className="secret">
                    <Id>{address}</Id>
                </p>
            ) : null}
        </Section>
    );
}
