import type { Client } from 'multirail';
import { type ReactNode, useEffect, useState } from 'react';
import { memberOf, type Refusal, refusalOf } from '../api/refusal.ts';
import { beginSession, type Proof, type ServerInfo } from '../api/session.ts';
import { useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import type { ProviderRefusal } from './arrival.ts';
import { DoorCard, ProofRefused } from './door_card.tsx';
import { ProviderRefused, Providers } from './provider.tsx';

export interface SignInProps {
    client: Client;
    info: ServerInfo | undefined;
    notice: string;
    isNoticeBad: boolean;
    /** The token of the second step, if the first one is done. */
    secondStep: string | undefined;
    /** The reason why the identity provider signed nobody in. */
    refusal: ProviderRefusal | undefined;
    onSignedIn: () => Promise<void>;
}

/** The form for signing in: password or identity provider, then the second step if the user has one. */
export function SignIn({ client, info, notice, isNoticeBad, secondStep, refusal, onSignedIn }: SignInProps): ReactNode {
    const texts = useTexts();
    const [token, setToken] = useState(secondStep);
    const [again, setAgain] = useState('');
    const [refused, setRefused] = useState(refusal);
    useEffect(() => {
        document.title = `${texts.signIn.title} · ${texts.product}`;
    }, [texts]);
    return (
        <DoorCard info={info} title={token === undefined ? texts.signIn.title : texts.signIn.second} notice={again || notice} isNoticeBad={again !== '' || isNoticeBad}>
            {token === undefined ? (
                <>
                    {refused ? <ProviderRefused refusal={refused} /> : null}
                    <PasswordStep
                        client={client}
                        onDone={async (next) => {
                            setAgain('');
                            setRefused(undefined);
                            if (next === undefined) await onSignedIn();
                            else setToken(next);
                        }}
                    />
                    <Providers client={client} onRefused={setRefused} />
                </>
            ) : (
                <SecondStep
                    client={client}
                    token={token}
                    onDone={onSignedIn}
                    onLapsed={(text) => {
                        setAgain(text);
                        setToken(undefined);
                    }}
                />
            )}
        </DoorCard>
    );
}

/** The state of a form that proves who somebody is. */
function useProof(client: Client): { isPending: boolean; refusal: Refusal | undefined; send: (proof: Proof) => Promise<string | null | undefined> } {
    const [isPending, setPending] = useState(false);
    const [refusal, setRefusal] = useState<Refusal>();
    return {
        isPending,
        refusal,
        /** Returns the token of the second step, null if the user is signed in, or undefined if the proof is refused. */
        send: async (proof) => {
            if (isPending) return undefined;
            setPending(true);
            setRefusal(undefined);
            try {
                const session = await beginSession(client, proof);
                return session.status === 'second_step_required' ? session.second_step_token : null;
            } catch (error) {
                setRefusal(refusalOf(error));
                return undefined;
            } finally {
                setPending(false);
            }
        },
    };
}

function PasswordStep({ client, onDone }: { client: Client; onDone: (token: string | undefined) => Promise<void> }): ReactNode {
    const texts = useTexts();
    const [email, setEmail] = useState('');
    const [password, setPassword] = useState('');
    const [isChecked, setChecked] = useState(false);
    const { isPending, refusal, send } = useProof(client);
    const submit = async (): Promise<void> => {
        setChecked(true);
        if (!email.trim() || !password) return;
        const token = await send({ password: { email: email.trim(), password } });
        if (token !== undefined) await onDone(token ?? undefined);
    };
    return (
        <form
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void submit();
            }}
        >
            <p className="lead">{texts.signIn.lead}</p>
            <Field
                label={texts.signIn.email}
                name="email"
                type="email"
                autoComplete="username"
                autoFocus
                isRequired
                value={email}
                onChange={setEmail}
                error={isChecked && !email.trim() ? texts.signIn.needEmail : undefined}
            />
            <Field
                label={texts.signIn.password}
                name="password"
                type="password"
                autoComplete="current-password"
                isRequired
                value={password}
                onChange={setPassword}
                error={isChecked && !password ? texts.signIn.needPassword : undefined}
            />
            <Refused refusal={refusal} />
            <Button type="submit" look="primary" isPending={isPending}>
                {isPending ? texts.signIn.working : texts.signIn.submit}
            </Button>
        </form>
    );
}

interface SecondStepProps {
    client: Client;
    token: string;
    onDone: () => Promise<void>;
    onLapsed: (text: string) => void;
}

function SecondStep({ client, token, onDone, onLapsed }: SecondStepProps): ReactNode {
    const texts = useTexts();
    const [isRecovery, setRecovery] = useState(false);
    const [code, setCode] = useState('');
    const [isChecked, setChecked] = useState(false);
    const { isPending, refusal, send } = useProof(client);
    const submit = async (): Promise<void> => {
        setChecked(true);
        const given = code.replace(/\s/g, '');
        if (!given) return;
        const done = await send({ second_step: isRecovery ? { token, recovery_code: given } : { token, totp: given } });
        if (done !== undefined) await onDone();
    };
    useEffect(() => {
        if (refusal?.code === 'IR_17') onLapsed(texts.signIn.lapsed);
    }, [refusal, onLapsed, texts]);
    const isWrong = refusal !== undefined && memberOf(refusal, ['totp', 'recovery_code']) !== undefined;
    const wrong = isRecovery ? texts.signIn.wrongRecovery : texts.signIn.wrongCode;
    return (
        <form
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void submit();
            }}
        >
            <p className="lead">{isRecovery ? texts.signIn.recoveryLead : texts.signIn.secondLead}</p>
            <Field
                key={String(isRecovery)}
                label={isRecovery ? texts.signIn.recovery : texts.signIn.totp}
                name="code"
                inputMode={isRecovery ? 'text' : 'numeric'}
                autoComplete="one-time-code"
                autoFocus
                isRequired
                maxLength={40}
                value={code}
                onChange={setCode}
                error={isChecked && !code.trim() ? texts.signIn.needCode : isWrong ? wrong : undefined}
            />
            {isWrong || refusal?.code === 'IR_17' ? null : <Refused refusal={refusal} />}
            <Button type="submit" look="primary" isPending={isPending}>
                {isPending ? texts.signIn.working : texts.signIn.continue}
            </Button>
            <div className="door-ways">
                <Button
                    look="quiet"
                    onPress={() => {
                        setRecovery(!isRecovery);
                        setCode('');
                        setChecked(false);
                    }}
                >
                    {isRecovery ? texts.signIn.useTotp : texts.signIn.useRecovery}
                </Button>
                <Button look="quiet" onPress={() => onLapsed('')}>
                    {texts.signIn.back}
                </Button>
            </div>
        </form>
    );
}

function Refused({ refusal }: { refusal: Refusal | undefined }): ReactNode {
    const texts = useTexts();
    if (!refusal) return null;
    const known: Readonly<Record<string, string>> = { UR_01: texts.signIn.wrong, IR_22: texts.signIn.noAccount, MR_03: texts.signIn.often };
    return <ProofRefused refusal={refusal} known={known} />;
}
