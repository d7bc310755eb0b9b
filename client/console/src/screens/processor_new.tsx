import { useQueryClient } from '@tanstack/react-query';
import { businessProfilesList, type Connector, type ConnectorAccountCreateRequest, connectorAccountsCreate, connectorsCheck, type ConnectorType } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useActionKey } from '../api/use_key.ts';
import { address } from '../format/address.ts';
import { CredentialsCheck } from '../processors/check.tsx';
import { labelsOf, useConnectors } from '../processors/connectors.ts';
import { Credentials, type CredentialsDraft, credentialsOf } from '../processors/credentials.tsx';
import { type Needs, needsFor, Settings, settingsOf, type SettingValues } from '../processors/settings.tsx';
import { type SecretsDraft, WebhookSecrets, webhookSecretsOf } from '../processors/webhook_secrets.tsx';
import { CREDENTIALS } from '../processors/words.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Check, Choice, Field } from '../ui/controls.tsx';
import { ActionForm } from '../ui/form.tsx';
import { useTell } from '../ui/notices.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ReadStatus } from '../ui/states.tsx';

/** The form of a new account, made from the connector's description. */
export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const mayCreate = useMay('connector_accounts_create');
    const connectors = useConnectors();
    return (
        <Page title={t.connectTitle} name={t.connectTitle} lead={t.connectLead} back={['/processors', texts.nav.processors]}>
            {mayCreate ? null : <Empty title={texts.errors.roleTitle}>{texts.errors.role}</Empty>}
            {mayCreate ? <ReadStatus read={connectors} /> : null}
            {mayCreate && connectors.data ? <Form connectors={connectors.data} /> : null}
        </Page>
    );
}

function Form({ connectors }: { connectors: readonly Connector[] }): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const { client, user, info, profileId } = useSession();
    const [, navigate] = useLocation();
    const tell = useTell();
    const store = useQueryClient();
    const key = useActionKey();
    const profiles = useRead(['profiles'], (reader, signal) => businessProfilesList(reader, user.merchant_id, { signal }), { enabled: useMay('business_profiles_list') });
    const [connector, setConnector] = useState<Connector>();
    const [service, setService] = useState<ConnectorType>();
    const [profile, setProfile] = useState(profileId ?? user.profile_id ?? '');
    const [label, setLabel] = useState('');
    const [isTest, setTest] = useState<boolean>();
    const [credentials, setCredentials] = useState<CredentialsDraft>();
    const [isAsked, setAsked] = useState(true);
    const [secrets, setSecrets] = useState<SecretsDraft>({});
    const [values, setValues] = useState<SettingValues>({});
    const [isChecked, setChecked] = useState(false);
    const usesTest = isTest ?? info?.sandbox === true;
    const settings = connector?.settings ?? [];
    const details = credentials && credentialsOf(credentials);
    // A server never calls vaults and engines without credentials, and there is nothing to ask before there are some.
    const canAsk = connector !== undefined && connector.payment_methods.length > 0 && credentials !== undefined && CREDENTIALS[credentials.kind].length > 0;
    // Settings may be missing as long as there are no credentials.
    const needs: Needs = credentials?.kind === 'TemporaryAuth' ? () => false : needsFor(usesTest);
    const metadata = settingsOf(settings, values, needs);
    const isComplete = connector !== undefined && details !== undefined && metadata !== undefined;
    const shared = (): Pick<ConnectorAccountCreateRequest, 'connector_name' | 'test_mode' | 'metadata'> & { connector_account_details: NonNullable<typeof details> } => ({
        connector_name: connector!.connector_name,
        connector_account_details: details!,
        test_mode: usesTest,
        ...(Object.keys(metadata!).length > 0 ? { metadata: metadata! } : {}),
    });
    const action = useAction(async () => {
        const webhooks = webhookSecretsOf(secrets);
        const body: ConnectorAccountCreateRequest = {
            ...shared(),
            connector_type: service ?? connector!.connector_types[0]!,
            ...(profile ? { profile_id: profile } : {}),
            ...(label.trim() ? { connector_label: label.trim() } : {}),
            ...(canAsk && isAsked ? { check_credentials: true } : {}),
            ...(webhooks ? { connector_webhook_details: webhooks } : {}),
        };
        const made = await key.use(body, (idempotencyKey) => connectorAccountsCreate(client, user.merchant_id, body, { idempotencyKey }));
        tell(t.connected(made.connector_label ?? made.connector_name));
        navigate(address`/processors/accounts/${made.merchant_connector_id}`);
        await store.invalidateQueries();
    });
    const names = connectors.map((one) => [one.connector_name, one.is_simulator ? t.simulator(one.connector_name) : one.connector_name] as const);
    const choose = (next: string): void => {
        const chosen = connectors.find((one) => one.connector_name === next);
        setConnector(chosen);
        setService(undefined);
        setCredentials(chosen && { kind: chosen.credentials.auth_type, values: {} });
        setSecrets({});
        setValues({});
        setChecked(false);
        action.reset();
    };
    const isWrong = isChecked && !isComplete;
    return (
        <ActionForm
            action={action}
            className="form narrow"
            check={() => {
                setChecked(true);
                return isComplete;
            }}
        >
            <Choice label={texts.common.processor} member="connector_name" value={connector?.connector_name ?? ''} onChange={choose} options={[['', t.chooseProcessor], ...names]} error={isChecked && !connector ? t.needProcessor : undefined} />
            {connector && connector.connector_types.length > 1 ? (
                <Choice label={t.service} member="connector_type" value={service ?? connector.connector_types[0]!} onChange={(word) => setService(word as ConnectorType)} options={connector.connector_types.map((word) => [word, wordOf(t.services, word)])} />
            ) : null}
            {(profiles.data?.length ?? 0) > 1 ? (
                <Choice label={texts.shell.profile} member="profile_id" value={profile} onChange={setProfile} options={profiles.data!.map((one) => [one.profile_id, one.profile_name])} hint={t.profileHint} />
            ) : null}
            <Field label={t.label} name="connector_label" maxLength={255} value={label} onChange={setLabel} hint={t.labelHint} />
            <Check label={t.usesTest} hint={t.usesTestHint} value={usesTest} onChange={setTest} />
            {connector && credentials ? (
                <>
                    <Credentials draft={credentials} onChange={setCredentials} kinds={[connector.credentials.auth_type, 'TemporaryAuth']} labels={labelsOf(connector.credentials.members)} isChecked={isChecked} />
                    <Settings settings={settings} values={values} onChange={setValues} needs={needs} isChecked={isChecked} />
                    {canAsk ? (
                        <CredentialsCheck
                            // Another input has no answer yet.
                            key={JSON.stringify([connector.connector_name, credentials, values, usesTest])}
                            ask={() => connectorsCheck(client, shared())}
                            prepare={() => {
                                setChecked(true);
                                return isComplete;
                            }}
                        />
                    ) : null}
                    {canAsk ? <Check label={t.ask} hint={t.askHint} value={isAsked} onChange={setAsked} /> : null}
                    <WebhookSecrets connector={connector} draft={secrets} onChange={setSecrets} />
                </>
            ) : null}
            <p className="consequence">{t.connectConsequence}</p>
            {isWrong ? (
                <p className="field-error" role="alert">
                    {texts.errors.checkField}
                </p>
            ) : null}
            <div className="actions">
                <Button type="submit" look="primary" isPending={action.isPending}>
                    {action.isPending ? texts.common.working : t.connect}
                </Button>
                <Button onPress={() => navigate('/processors')}>{texts.common.cancel}</Button>
            </div>
        </ActionForm>
    );
}
