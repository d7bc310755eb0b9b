import { useQuery, useQueryClient } from '@tanstack/react-query';
import { consoleSessionsEndOperator, healthDescribe } from 'multirail';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { onSessionEnd, sessionClient } from '../api/client.ts';
import { refusalOf } from '../api/refusal.ts';
import { serverInfo } from '../api/session.ts';
import { forgetAnswers } from '../shell/answers.ts';
import type { Preferences } from '../shell/app.tsx';
import { onTabMessage, tellTabs } from '../shell/tabs.ts';
import { useTexts } from '../texts/index.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { OperatorFrame } from './frame.tsx';
import { KeyForm } from './key_form.tsx';
import { OperatorProvider } from './session.tsx';

type Place = { at: 'asking' } | { at: 'failed'; error: unknown } | { at: 'out'; notice: string; isBad: boolean } | { at: 'in' };

/** The console of the operator, who has a key and is no user. It only reads. */
export function Operator({ preferences }: { preferences: Preferences }): ReactNode {
    const t = useTexts().operator;
    const store = useQueryClient();
    const client = useMemo(() => sessionClient(), []);
    const [place, setPlace] = useState<Place>({ at: 'asking' });
    const info = useQuery({ queryKey: ['server'], queryFn: serverInfo, staleTime: Infinity, retry: 2 });

    const enter = useCallback(async (): Promise<void> => {
        try {
            await healthDescribe(client);
            setPlace({ at: 'in' });
        } catch (error) {
            // A user may be signed in instead. The server then answers as if nobody were.
            const isOut = ['IR_01', 'IR_17'].includes(refusalOf(error).code);
            setPlace(isOut ? { at: 'out', notice: '', isBad: false } : { at: 'failed', error });
        }
    }, [client]);
    useEffect(() => void enter(), [enter]);

    // Answers of the former session must not stay on the screen or in the memory.
    const leave = useCallback(
        (notice: string, isBad = false) => {
            setPlace((former) => (former.at === 'in' ? { at: 'out', notice, isBad } : former));
            forgetAnswers(store);
        },
        [store],
    );
    useEffect(() => onSessionEnd(() => leave(t.ended, true)), [leave, t]);
    useEffect(
        () =>
            onTabMessage((message) => {
                if (message === 'signed_out') return leave(t.signedOut);
                forgetAnswers(store);
                void enter();
            }),
        [enter, leave, store, t],
    );

    if (place.at === 'asking') return <Loading />;
    if (place.at === 'failed') {
        return (
            <main className="door">
                <Failure
                    error={place.error}
                    retry={() => {
                        setPlace({ at: 'asking' });
                        void enter();
                    }}
                />
            </main>
        );
    }
    if (place.at === 'out') {
        const begun = (): Promise<void> => {
            tellTabs('signed_in');
            return enter();
        };
        return <KeyForm client={client} info={info.data} notice={place.notice} isNoticeBad={place.isBad} onBegun={begun} />;
    }
    const end = (): void => {
        void consoleSessionsEndOperator(client).then(
            () => {
                tellTabs('signed_out');
                leave(t.signedOut);
            },
            () => void enter(),
        );
    };
    return (
        <OperatorProvider client={client}>
            <OperatorFrame info={info.data} preferences={preferences} onEnd={end} />
        </OperatorProvider>
    );
}
