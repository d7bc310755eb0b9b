import type { Connector, ConnectorWebhookDetailsRequest } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Field } from '../ui/controls.tsx';
import { labelsOf } from './connectors.ts';

/** The members of webhook secrets. */
const SECRET_MEMBERS = ['merchant_secret', 'additional_secret'] as const;

export type SecretsDraft = Readonly<Record<string, string>>;

/** Returns the secrets as the contract writes them, or undefined without the first one. */
export function webhookSecretsOf(draft: SecretsDraft): ConnectorWebhookDetailsRequest | undefined {
    const [first, second] = SECRET_MEMBERS.map((member) => (draft[member] ?? '').trim());
    if (!first) return undefined;
    return { merchant_secret: first, ...(second ? { additional_secret: second } : {}) };
}

export interface WebhookSecretsProps {
    connector: Connector | undefined;
    draft: SecretsDraft;
    onChange: (draft: SecretsDraft) => void;
    /** True if the first secret has to be there. */
    isRequired?: boolean;
    isChecked?: boolean;
}

/** The fields of the secrets with which a processor signs its webhooks. */
export function WebhookSecrets({ connector, draft, onChange, isRequired = false, isChecked = false }: WebhookSecretsProps): ReactNode {
    const t = useTexts().processors;
    const labels = labelsOf(connector?.webhook_members);
    const members = connector ? SECRET_MEMBERS.filter((member) => member in labels) : SECRET_MEMBERS;
    const [general, second] = [t.webhookSecret, t.secondSecret];
    return (
        <>
            {members.map((member) => {
                const isFirst = member === 'merchant_secret';
                const value = draft[member] ?? '';
                const hint = labels[member] ?? (isFirst ? undefined : t.secondSecretHint);
                const missing = isFirst && isRequired && isChecked && value.trim() === '' ? t.needSecret : undefined;
                return (
                    <Field
                        key={member}
                        label={isFirst ? general : second}
                        name={member}
                        type="password"
                        isRequired={isFirst && isRequired}
                        autoComplete="off"
                        maxLength={8192}
                        value={value}
                        onChange={(next) => onChange({ ...draft, [member]: next })}
                        hint={isFirst && !isRequired && connector?.is_simulator !== true ? [hint, t.webhookSecretHint].filter(Boolean).join('. ') : hint}
                        error={missing}
                    />
                );
            })}
        </>
    );
}
