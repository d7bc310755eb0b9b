import { useQueryClient } from '@tanstack/react-query';
import { type ConnectorAccount, connectorAccountsDelete, connectorAccountsUpdate, type ConnectorAccountUpdateRequest, type ConnectorAuthType } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { isolated, plain } from '../format/foreign.ts';
import { useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { type Action, ActionDialog, useAction } from '../ui/action.tsx';
import { Check, Field } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { CREDENTIAL_MEMBERS, Credentials, type CredentialsDraft, credentialsOf } from './credentials.tsx';
import { CREDENTIALS, SIMULATORS } from './words.ts';

interface Props {
    account: ConnectorAccount;
    onClose: () => void;
}

export const nameOf = (account: ConnectorAccount): string => account.connector_label ?? account.connector_name;

/** Returns the action that changes an account, says so, and closes its dialog. */
export function useUpdate(account: ConnectorAccount, change: () => Omit<ConnectorAccountUpdateRequest, 'connector_type'>, said: string, onClose: () => void, members: readonly string[]): Action {
    const { client, user } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    return useAction(async () => {
        await connectorAccountsUpdate(client, user.merchant_id, account.merchant_connector_id, { connector_type: account.connector_type, ...change() });
        tell(said);
        onClose();
        await store.invalidateQueries();
    }, members);
}

export function EditDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const [label, setLabel] = useState(nameOf(account));
    const [isTest, setTest] = useState(account.test_mode === true);
    const [isChecked, setChecked] = useState(false);
    const isEmpty = label.trim() === '';
    const hasMoved = isTest !== (account.test_mode === true);
    const action = useUpdate(account, () => ({ connector_label: label.trim(), ...(hasMoved ? { test_mode: isTest } : {}) }), t.saved, onClose, ['connector_label']);
    return (
        <ActionDialog
            title={t.edit}
            submit={t.save}
            action={action}
            members={['connector_label']}
            check={() => {
                setChecked(true);
                return !isEmpty;
            }}
            onClose={onClose}
            consequence={hasMoved ? (isTest ? t.toTest : t.toLive) : undefined}
        >
            <Field label={t.label} name="connector_label" autoFocus isRequired maxLength={255} value={label} onChange={setLabel} error={action.errorOf('connector_label') ?? (isChecked && isEmpty ? t.needLabel : undefined)} />
            <Check label={t.usesTest} hint={t.usesTestHint} value={isTest} onChange={setTest} />
        </ActionDialog>
    );
}

export function ToggleDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const isOn = !account.disabled && account.status === 'active';
    const name = nameOf(account);
    const action = useUpdate(account, () => (isOn ? { disabled: true } : { status: 'active', disabled: false }), isOn ? t.isDisabled(name) : t.isEnabled(name), onClose, []);
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
    const isSimulator = (SIMULATORS as readonly string[]).includes(account.connector_name);
    const stored = account.connector_account_details?.auth_type;
    const [draft, setDraft] = useState<CredentialsDraft>({ kind: stored ?? 'HeaderKey', values: {} });
    const [isChecked, setChecked] = useState(false);
    const details = credentialsOf(draft);
    const members = ['auth_type', ...CREDENTIAL_MEMBERS];
    const action = useUpdate(account, () => ({ connector_account_details: details! }), t.replaced, onClose, members);
    const kinds = isSimulator ? (['HeaderKey'] as const) : (Object.keys(CREDENTIALS) as ConnectorAuthType[]);
    return (
        <ActionDialog
            title={t.replaceTitle}
            submit={t.replaceSubmit}
            action={action}
            members={members}
            check={() => {
                setChecked(true);
                return details !== undefined;
            }}
            onClose={onClose}
            consequence={t.replaceConsequence}
        >
            <Credentials draft={draft} onChange={setDraft} kinds={kinds} isChecked={isChecked} errorOf={action.errorOf} />
        </ActionDialog>
    );
}

export function WebhookSecretDialog({ account, onClose }: Props): ReactNode {
    const t = useTexts().processors;
    const [secret, setSecret] = useState('');
    const [second, setSecond] = useState('');
    const [isChecked, setChecked] = useState(false);
    const isEmpty = secret.trim() === '';
    const members = ['merchant_secret', 'additional_secret'];
    const change = (): Pick<ConnectorAccountUpdateRequest, 'connector_webhook_details'> => ({
        connector_webhook_details: { merchant_secret: secret.trim(), ...(second.trim() ? { additional_secret: second.trim() } : {}) },
    });
    const action = useUpdate(account, change, t.secretReplaced, onClose, members);
    return (
        <ActionDialog
            title={t.replaceSecret}
            submit={t.replaceSubmit}
            action={action}
            members={members}
            check={() => {
                setChecked(true);
                return !isEmpty;
            }}
            onClose={onClose}
            consequence={t.secretConsequence}
        >
            <Field label={t.webhookSecret} name="merchant_secret" type="password" autoFocus isRequired maxLength={8192} value={secret} onChange={setSecret} error={action.errorOf('merchant_secret') ?? (isChecked && isEmpty ? t.needSecret : undefined)} />
            <Field label={t.secondSecret} name="additional_secret" type="password" maxLength={8192} value={second} onChange={setSecond} hint={t.secondSecretHint} error={action.errorOf('additional_secret')} />
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
    const [isChecked, setChecked] = useState(false);
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
            check={() => {
                setChecked(true);
                return isRight;
            }}
            onClose={onClose}
            consequence={t.deleteConsequence}
        >
            <Field label={t.deleteConfirm(isolated(word))} name="confirm" autoFocus value={typed} onChange={setTyped} error={isChecked && !isRight ? t.deleteMismatch : undefined} />
        </ActionDialog>
    );
}
