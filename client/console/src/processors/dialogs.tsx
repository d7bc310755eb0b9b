import { useQueryClient } from '@tanstack/react-query';
import { type Connector, type ConnectorAccount, connectorAccountsDelete, connectorAccountsUpdate, type ConnectorAccountUpdateRequest, type ConnectorAuthType, type ConnectorCredentialsCheck, connectorsCheck } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { isolated, plain } from '../format/foreign.ts';
import { useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { type Action, ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { useChange } from '../ui/change.ts';
import { Check, Field } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { CredentialsCheck } from './check.tsx';
import { labelsOf, useConnector } from './connectors.ts';
import { Credentials, type CredentialsDraft, credentialsOf } from './credentials.tsx';
import { type SecretsDraft, WebhookSecrets, webhookSecretsOf } from './webhook_secrets.tsx';
import { CREDENTIALS } from './words.ts';

interface Props {
    account: ConnectorAccount;
    onClose: () => void;
}

export const nameOf = (account: ConnectorAccount): string => account.connector_label ?? account.connector_name;

/** Returns the action that changes an account, says so, and closes its dialog. */
export function useUpdate(account: ConnectorAccount, change: () => Omit<ConnectorAccountUpdateRequest, 'connector_type'>, said: string, onClose: () => void): Action {
    const { client, user } = useSession();
    const update = async (): Promise<string> => {
        await connectorAccountsUpdate(client, user.merchant_id, account.merchant_connector_id, { connector_type: account.connector_type, ...change() });
        return said;
    };
    return useChange(update, onClose);
}

export function EditDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const [label, setLabel] = useState(nameOf(account));
    const [isTest, setTest] = useState(account.test_mode === true);
    const [isChecked, checked] = useChecked();
    const isEmpty = label.trim() === '';
    const hasMoved = isTest !== (account.test_mode === true);
    const action = useUpdate(account, () => ({ connector_label: label.trim(), ...(hasMoved ? { test_mode: isTest } : {}) }), t.saved, onClose);
    return (
        <ActionDialog
            title={t.edit}
            submit={t.save}
            action={action}
            check={checked(!isEmpty)}
            onClose={onClose}
            consequence={hasMoved ? (isTest ? t.toTest : t.toLive) : undefined}
        >
            <Field label={t.label} name="connector_label" autoFocus isRequired maxLength={255} value={label} onChange={setLabel} error={isChecked && isEmpty ? t.needLabel : undefined} />
            <Check label={t.usesTest} hint={t.usesTestHint} value={isTest} onChange={setTest} />
        </ActionDialog>
    );
}

export function ToggleDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const isOn = !account.disabled && account.status === 'active';
    const name = nameOf(account);
    const action = useUpdate(account, () => (isOn ? { disabled: true } : { status: 'active', disabled: false }), isOn ? t.isDisabled(name) : t.isEnabled(name), onClose);
    return (
        <ActionDialog
            title={isOn ? t.disableTitle : t.enableTitle}
            submit={isOn ? t.disable : t.enable}
            look={isOn ? 'danger' : 'primary'}
            action={action}
            onClose={onClose}
            consequence={isOn ? t.disableConsequence(isolated(name)) : t.enableConsequence(isolated(name))}
        />
    );
}

export function ReplaceDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const { client } = useSession();
    const connector = useConnector(account.connector_name);
    const [draft, setDraft] = useState<CredentialsDraft>({ kind: account.connector_account_details?.auth_type ?? 'HeaderKey', values: {} });
    const [isChecked, checked] = useChecked();
    const shown = connector ? { ...draft, kind: connector.credentials.auth_type } : draft;
    const details = credentialsOf(shown);
    const action = useUpdate(account, () => ({ connector_account_details: details! }), t.replaced, onClose);
    const kinds = connector ? [shown.kind] : (Object.keys(CREDENTIALS) as ConnectorAuthType[]);
    const isThere = checked(details !== undefined);
    const ask = (): Promise<ConnectorCredentialsCheck> =>
        connectorsCheck(client, {
            connector_name: account.connector_name,
            connector_account_details: details!,
            test_mode: account.test_mode === true,
            ...(account.metadata ? { metadata: account.metadata } : {}),
        });
    return (
        <ActionDialog title={t.replaceTitle} submit={t.replaceSubmit} action={action} check={isThere} onClose={onClose} consequence={t.replaceConsequence}>
            <Credentials draft={shown} onChange={setDraft} kinds={kinds} labels={labelsOf(connector?.credentials.members)} isChecked={isChecked} />
            {isAsked(account, connector) ? <CredentialsCheck key={JSON.stringify(shown)} ask={ask} prepare={isThere} /> : null}
        </ActionDialog>
    );
}

/** Returns whether the server can ask the processor about credentials. It never calls vaults and billing engines. */
export function isAsked(account: ConnectorAccount, connector: Connector | undefined): boolean {
    return account.connector_type === 'payment_processor' && connector !== undefined;
}

export function WebhookSecretDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const connector = useConnector(account.connector_name);
    const [draft, setDraft] = useState<SecretsDraft>({});
    const [isChecked, checked] = useChecked();
    const secrets = webhookSecretsOf(draft);
    const action = useUpdate(account, () => ({ connector_webhook_details: secrets! }), t.secretReplaced, onClose);
    return (
        <ActionDialog
            title={t.replaceSecret}
            submit={t.replaceSubmit}
            action={action}
            check={checked(secrets !== undefined)}
            onClose={onClose}
            consequence={t.secretConsequence}
        >
            <WebhookSecrets connector={connector} draft={draft} onChange={setDraft} isRequired isChecked={isChecked} />
        </ActionDialog>
    );
}

export function DeleteDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const { client, user } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    const [, navigate] = useLocation();
    const [typed, setTyped] = useState('');
    const [isChecked, checked] = useChecked();
    const name = nameOf(account);
    // Marks of direction can't be typed, and nobody types a name of 200 characters.
    const word = plain(name).slice(0, 40).trim();
    const isRight = typed.trim() === word;
    const action = useAction(async () => {
        await connectorAccountsDelete(client, user.merchant_id, account.merchant_connector_id);
        tell(t.deleted(name));
        navigate('/processors');
        await store.invalidateQueries();
    });
    return (
        <ActionDialog
            title={t.deleteTitle}
            submit={t.deleteSubmit}
            look="danger"
            action={action}
            check={checked(isRight)}
            onClose={onClose}
            consequence={t.deleteConsequence}
        >
            <Field label={t.deleteConfirm(isolated(word))} name="confirm" autoFocus value={typed} onChange={setTyped} error={isChecked && !isRight ? t.deleteMismatch : undefined} />
        </ActionDialog>
    );
}
