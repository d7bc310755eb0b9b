import type { ConnectorCredentialsCheck } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts/index.tsx';
import { useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { RefusalBox } from '../ui/states.tsx';
import { Foreign } from '../ui/text.tsx';

type Verdict = Pick<ConnectorCredentialsCheck, 'result' | 'message'>;

export interface CredentialsCheckProps {
    ask: () => Promise<Verdict>;
    /** Returns whether there is something to ask. */
    prepare?: () => boolean;
}

/** A button that has the server ask the processor whether it accepts credentials, and the answer. Nothing is stored. */
export function CredentialsCheck({ ask, prepare }: CredentialsCheckProps): ReactNode {
    const texts = useTexts();
    const [verdict, setVerdict] = useState<Verdict>();
    const action = useAction(async () => {
        setVerdict(undefined);
        setVerdict(await ask());
    });
    const press = (): void => {
        if (prepare?.() ?? true) action.run();
    };
    return (
        <div>
            <Button size="small" isPending={action.isPending} onPress={press}>
                {action.isPending ? texts.common.working : texts.processors.check}
            </Button>
            <div role="status">{verdict ? <Says verdict={verdict} /> : null}</div>
            {action.refusal ? <RefusalBox refusal={action.refusal} /> : null}
        </div>
    );
}

function Says({ verdict: { result, message } }: { verdict: Verdict }): ReactNode {
    const t = useTexts().processors;
    if (result === 'accepted') return <p className="hint">{t.accepts}</p>;
    const isRefused = result === 'refused';
    return (
        <div className={`alert ${isRefused ? 'bad' : 'warn'}`}>
            {isRefused ? t.refuses : t.saysNothing}
            {message ? (
                <p>
                    <Foreign longest={300}>{message}</Foreign>
                </p>
            ) : null}
        </div>
    );
}
