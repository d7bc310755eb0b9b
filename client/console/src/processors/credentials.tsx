import type { ConnectorAccountDetailsRequest, ConnectorAuthType } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Choice, Field } from '../ui/controls.tsx';
import { CREDENTIALS } from './words.ts';

/** Credentials as typed. */
export interface CredentialsDraft {
    kind: ConnectorAuthType;
    values: Readonly<Record<string, string>>;
}

/** Returns the credentials of an account by currency, or undefined if the text is no object of objects. */
function mapOf(text: string): Record<string, unknown> | undefined {
    try {
        const map: unknown = JSON.parse(text);
        if (typeof map !== 'object' || map === null || Array.isArray(map)) return undefined;
        const isRight = Object.values(map).every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
        return isRight ? (map as Record<string, unknown>) : undefined;
    } catch {
        return undefined;
    }
}

/** Returns whether a member has what the contract asks for. */
const isFilled = (member: string, text: string): boolean => (member === 'auth_key_map' ? mapOf(text) !== undefined : text.trim() !== '');

/** Returns the credentials as the contract writes them, or undefined if a member is missing. */
export function credentialsOf({ kind, values }: CredentialsDraft): ConnectorAccountDetailsRequest | undefined {
    const members = CREDENTIALS[kind];
    if (members.some((one) => !isFilled(one, values[one] ?? ''))) return undefined;
    const entries = members.map((one) => [one, one === 'auth_key_map' ? mapOf(values[one] ?? '') : (values[one] ?? '').trim()] as const);
    return { auth_type: kind, ...Object.fromEntries(entries) };
}

export interface CredentialsProps {
    draft: CredentialsDraft;
    onChange: (draft: CredentialsDraft) => void;
    kinds: readonly ConnectorAuthType[];
    /** The processor's names of the members, if the connector is described. */
    labels: Readonly<Record<string, string>>;
    isChecked: boolean;
}

/** The fields of credentials: those that the contract gives the chosen kind. */
export function Credentials({ draft, onChange, kinds, labels, isChecked }: CredentialsProps): ReactNode {
    const t = useTexts().processors;
    const { kind, values } = draft;
    const members: readonly string[] = CREDENTIALS[kind];
    return (
        <fieldset className="group">
            <legend>{t.credentials}</legend>
            <Choice label={t.kind} member="auth_type" value={kind} onChange={(word) => onChange({ ...draft, kind: word as ConnectorAuthType })} options={kinds.map((one) => [one, t.authKinds[one] ?? one])} isDisabled={kinds.length === 1} />
            {members.map((member) => {
                const isLong = member === 'auth_key_map' || member === 'certificate' || member === 'private_key';
                const text = values[member] ?? '';
                const missing = isChecked && !isFilled(member, text) ? (member === 'auth_key_map' ? t.badMap : t.needSecret) : undefined;
                return (
                    <Field
                        key={member}
                        label={labels[member] ?? t.members[member] ?? member}
                        name={member}
                        type={isLong ? 'text' : 'password'}
                        isLong={isLong}
                        isRequired
                        autoComplete="off"
                        maxLength={isLong ? 16_384 : 8192}
                        value={text}
                        onChange={(next) => onChange({ ...draft, values: { ...values, [member]: next } })}
                        hint={labels[member] ? undefined : t.memberHints[member]}
                        error={missing}
                    />
                );
            })}
            {kind === 'TemporaryAuth' ? <p className="hint">{t.temporary}</p> : null}
        </fieldset>
    );
}
