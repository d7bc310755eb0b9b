import { type TwoFactorBegun, twoFactorBegin, twoFactorConfirm } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { ActionForm } from '../ui/form.tsx';
import { Page, Section } from '../ui/page.tsx';
import { QrCode } from '../ui/qr.tsx';
import { Badge, Id } from '../ui/text.tsx';

/** The user's own second factor: its state, and the steps that set it up. */
export function Screen(): ReactNode {
    const t = useTexts().secondFactor;
    const { user, codes, showCodes, renew } = useSession();
    const [begun, setBegun] = useState<TwoFactorBegun>();
    const isMissing = user.is_two_factor_auth_required && !user.is_two_factor_auth_setup;
    return (
        <Page title={t.title} name={t.title} lead={isMissing ? t.required : t.lead}>
            {codes ? (
                <Codes codes={codes} onDone={() => void renew().then(() => showCodes(undefined))} />
            ) : user.is_two_factor_auth_setup ? (
                <p>
                    <Badge tone="good">{t.on}</Badge> {t.codesLeft(user.recovery_codes_left)}
                </p>
            ) : begun ? (
                <Confirm begun={begun} onConfirmed={showCodes} />
            ) : (
                <Begin onBegun={setBegun} />
            )}
        </Page>
    );
}

/** The first step: the password shows that it is the user who sets the factor up. */
function Begin({ onBegun }: { onBegun: (begun: TwoFactorBegun) => void }): ReactNode {
    const texts = useTexts();
    const t = texts.secondFactor;
    const { client, user } = useSession();
    const [password, setPassword] = useState('');
    const [isChecked, setChecked] = useState(false);
    const action = useAction(async () => onBegun(await twoFactorBegin(client, { password })));
    return (
        <Step title={t.passwordTitle} hint={t.passwordHint} action={action} submit={t.begin} isReady={password !== ''} onCheck={() => setChecked(true)}>
            {/* Password managers look for it beside a password. */}
            <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
            <Field label={t.password} name="password" type="password" autoComplete="current-password" isRequired maxLength={256} value={password} onChange={setPassword} error={isChecked && password === '' ? t.needPassword : undefined} />
        </Step>
    );
}

/** The second step: a code shows that the authenticator has the secret. */
function Confirm({ begun, onConfirmed }: { begun: TwoFactorBegun; onConfirmed: (codes: readonly string[]) => void }): ReactNode {
    const t = useTexts().secondFactor;
    const { client } = useSession();
    const [code, setCode] = useState('');
    const [isChecked, setChecked] = useState(false);
    const needsCode = isChecked && code.trim() === '' ? t.needCode : undefined;
    const action = useAction(async () => {
        const confirmed = await twoFactorConfirm(client, { totp: code.replaceAll(/\s/g, '') });
        onConfirmed(confirmed.recovery_codes);
    });
    return (
        <Step title={t.secretTitle} hint={t.secretHint} action={action} submit={t.confirm} isReady={code.trim() !== ''} onCheck={() => setChecked(true)}>
            <QrCode label={t.qrCode}>{begun.totp_url}</QrCode>
            <p className="secret">
                <Id>{begun.secret}</Id>
            </p>
            <p>
                <a href={begun.totp_url}>{t.openApp}</a>
            </p>
            <Field label={t.code} name="totp" inputMode="numeric" autoComplete="one-time-code" isRequired maxLength={12} value={code} onChange={setCode} error={needsCode} />
        </Step>
    );
}

interface StepProps {
    title: string;
    hint: string;
    action: ReturnType<typeof useAction>;
    submit: string;
    isReady: boolean;
    /** Lets the form say what it lacks. */
    onCheck: () => void;
    children: ReactNode;
}

function Step({ title, hint, action, submit, isReady, onCheck, children }: StepProps): ReactNode {
    const texts = useTexts();
    return (
        <Section title={title} hint={hint}>
            <ActionForm
                action={action}
                className="steps"
                check={() => {
                    onCheck();
                    return isReady;
                }}
            >
                {children}
                <Button type="submit" look="primary" isPending={action.isPending}>
                    {action.isPending ? texts.common.working : submit}
                </Button>
            </ActionForm>
        </Section>
    );
}

/** The recovery codes, which are shown only once. */
function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): ReactNode {
    const t = useTexts().secondFactor;
    return (
        <Section title={t.codesTitle} hint={t.codesHint}>
            <ul className="plain-list mono">
                {codes.map((code) => (
                    <li key={code}>
                        <bdi>{code}</bdi>
                    </li>
                ))}
            </ul>
            <Button look="primary" onPress={onDone}>
                {t.done}
            </Button>
        </Section>
    );
}
