import { useQueryClient } from '@tanstack/react-query';
import { businessProfilesList, type ConnectorAuthType, type ConnectorAccountCreateRequest, connectorAccountsCreate, type ConnectorName, type ConnectorType } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { memberOf } from '../api/refusal.ts';
import { useActionKey } from '../api/use_key.ts';
import { CREDENTIAL_MEMBERS, Credentials, type CredentialsDraft, credentialsOf } from '../processors/credentials.tsx';
import { Settings, settingsOf, type Setting } from '../processors/settings.tsx';
import { CREDENTIALS, PROCESSORS, SIMULATORS } from '../processors/words.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { useAction } from '../ui/action.tsx';
import { Button, Check, Choice, Field } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, RefusalBox } from '../ui/states.tsx';

const KINDS = Object.keys(CREDENTIALS) as ConnectorAuthType[];
const MEMBERS = ['connector_name', 'connector_label', 'profile_id', 'connector_type', 'auth_type', 'metadata', 'merchant_secret', ...CREDENTIAL_MEMBERS];
const NOTHING: CredentialsDraft = { kind: 'HeaderKey', values: {} };

/** The form of a new account. The contract describes kinds of credentials, but not which kind a processor uses. */
export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const mayCreate = useMay('connector_accounts_create');
    return (
        <Page title={t.connectTitle} name={t.connectTitle} lead={t.connectLead} back={['/processors', texts.nav.processors]}>
            {mayCreate ? <Form /> : <Empty title={texts.errors.roleTitle}>{texts.errors.role}</Empty>}
        </Page>
    );
}

function Form(): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const { client, user, info, profileId } = useSession();
    const [, navigate] = useLocation();
    const tell = useTell();
    const store = useQueryClient();
    const key = useActionKey();
    const isSandbox = info?.sandbox === true;
    const profiles = useRead(['profiles'], (reader, signal) => businessProfilesList(reader, user.merchant_id, { signal }), { enabled: useMay('business_profiles_list') });
    const [name, setName] = useState('');
    const [service, setService] = useState<ConnectorType>('payment_processor');
    const [profile, setProfile] = useState(profileId ?? user.profile_id ?? '');
    const [label, setLabel] = useState('');
    const [isTest, setTest] = useState<boolean>();
    const [credentials, setCredentials] = useState(NOTHING);
    const [isAsked, setAsked] = useState(true);
    const [secret, setSecret] = useState('');
    const [settings, setSettings] = useState<readonly Setting[]>([]);
    const [isChecked, setChecked] = useState(false);
    const isSimulator = (SIMULATORS as readonly string[]).includes(name);
    const usesTest = isTest ?? isSandbox;
    const kinds = isSimulator ? (['HeaderKey'] as const) : KINDS;
    const details = credentialsOf(credentials);
    const canAsk = CREDENTIALS[credentials.kind].length > 0;
    const metadata = settingsOf(settings);
    const action = useAction(async () => {
        const body: ConnectorAccountCreateRequest = {
            connector_type: service,
            connector_name: name as ConnectorName,
            test_mode: usesTest,
            connector_account_details: details!,
            ...(profile ? { profile_id: profile } : {}),
            ...(label.trim() ? { connector_label: label.trim() } : {}),
            ...(canAsk && isAsked ? { check_credentials: true } : {}),
            ...(secret.trim() ? { connector_webhook_details: { merchant_secret: secret.trim() } } : {}),
            ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
        };
        const made = await key.use(body, (idempotencyKey) => connectorAccountsCreate(client, user.merchant_id, body, { idempotencyKey }));
        tell(t.connected(made.connector_label ?? made.connector_name));
        navigate(`/processors/accounts/${made.merchant_connector_id}`);
        await store.invalidateQueries();
    }, MEMBERS);
    const { refusal } = action;
    const isAtMember = refusal !== undefined && memberOf(refusal, MEMBERS) !== undefined;
    const names = [...(isSandbox ? SIMULATORS.map((one) => [one, t.simulator(one)] as const) : []), ...PROCESSORS.map((one) => [one, one] as const)];
    const choose = (next: string): void => {
        setName(next);
        if ((SIMULATORS as readonly string[]).includes(next)) setCredentials({ ...credentials, kind: 'HeaderKey' });
    };
    return (
        <form
            className="form narrow"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                setChecked(true);
                if (name && details && metadata) action.run();
            }}
        >
            <Choice label={texts.common.processor} value={name} onChange={choose} options={[['', t.chooseProcessor], ...names]} error={action.errorOf('connector_name') ?? (isChecked && !name ? t.needProcessor : undefined)} />
            <Choice label={t.service} value={service} onChange={(word) => setService(word as ConnectorType)} options={Object.entries(t.services)} error={action.errorOf('connector_type')} />
            {(profiles.data?.length ?? 0) > 1 ? (
                <Choice label={texts.shell.profile} value={profile} onChange={setProfile} options={profiles.data!.map((one) => [one.profile_id, one.profile_name])} hint={t.profileHint} error={action.errorOf('profile_id')} />
            ) : null}
            <Field label={t.label} name="connector_label" maxLength={255} value={label} onChange={setLabel} hint={t.labelHint} error={action.errorOf('connector_label')} />
            <Check label={t.usesTest} hint={t.usesTestHint} value={usesTest} onChange={setTest} />
            <Credentials draft={credentials} onChange={setCredentials} kinds={kinds} isChecked={isChecked} errorOf={action.errorOf} />
            {canAsk ? <Check label={t.ask} hint={t.askHint} value={isAsked} onChange={setAsked} /> : null}
            <Field label={t.webhookSecret} name="merchant_secret" type="password" autoComplete="off" maxLength={8192} value={secret} onChange={setSecret} hint={t.webhookSecretHint} error={action.errorOf('merchant_secret')} />
            <Settings settings={settings} onChange={setSettings} error={action.errorOf('metadata') ?? (isChecked && !metadata ? t.badSettings : undefined)} />
            <p className="consequence">{t.connectConsequence}</p>
            {isChecked && (!name || !details || !metadata) ? (
                <p className="field-error" role="alert">
                    {texts.errors.checkField}
                </p>
            ) : null}
            {refusal && !isAtMember ? <RefusalBox refusal={refusal} /> : null}
            {isAtMember ? (
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
        </form>
    );
}
