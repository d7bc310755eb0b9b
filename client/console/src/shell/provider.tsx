import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type Client, oidcMethods } from 'multirail';
import { type ReactNode, useEffect, useState } from 'react';
import { leaveFor } from '../api/leave.ts';
import { refusalOf } from '../api/refusal.ts';
import { beginAtProvider } from '../api/session.ts';
import { type Texts, useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { adviceOf } from '../ui/states.tsx';
import { Foreign } from '../ui/text.tsx';
import type { ProviderRefusal } from './arrival.ts';

/** The providers with which users may sign in. While they are unknown there is only the password, so that nothing waits. */
export function Providers({ client, onRefused }: { client: Client; onRefused: (refusal: ProviderRefusal | undefined) => void }): ReactNode {
    const texts = useTexts();
    const { isPending, begin } = useProvider(client, onRefused);
    const { names } = useProviders(client);
    if (names.length === 0) return null;
    return (
        <div className="door-providers">
            <p className="door-or">{texts.signIn.or}</p>
            {names.map((name) => (
                <Button key={name} isPending={isPending} onPress={() => void begin()}>
                    {isPending ? texts.signIn.provider.leaving(name) : texts.signIn.provider.with(name)}
                </Button>
            ))}
        </div>
    );
}

/** Returns the names of the providers with which users may sign in, and the read that they come from. */
export function useProviders(client: Client): { names: readonly string[]; read: UseQueryResult } {
    const read = useQuery({ queryKey: ['server', 'ways'], queryFn: async ({ signal }) => await oidcMethods(client, { signal }), staleTime: 60_000 });
    const names = (read.data ?? []).flatMap(({ auth_method: { type, name } }) => (type === 'open_id_connect' && name !== null ? [name] : []));
    return { names, read };
}

/** The way to the provider's page. It stays pending until the browser has left. */
export function useProvider(client: Client, onRefused: (refusal: ProviderRefusal | undefined) => void): { isPending: boolean; begin: () => Promise<void> } {
    const [isPending, setPending] = useState(false);
    useEffect(() => {
        // A browser that goes back may show the page as it was left.
        const show = (event: PageTransitionEvent): void => {
            if (event.persisted) setPending(false);
        };
        window.addEventListener('pageshow', show);
        return () => window.removeEventListener('pageshow', show);
    }, []);
    return {
        isPending,
        begin: async () => {
            if (isPending) return;
            setPending(true);
            onRefused(undefined);
            try {
                leaveFor(await beginAtProvider(client));
            } catch (error) {
                setPending(false);
                onRefused(refusalOf(error));
            }
        },
    };
}

/** Says why the provider signed nobody in, and what to do. The word of the provider comes from an address, so only known words are shown. */
export function ProviderRefused({ refusal, title }: { refusal: ProviderRefusal; title?: string }): ReactNode {
    const texts = useTexts();
    const known = 'error' in refusal ? adviceOfWord(refusal.error, texts) : adviceOfCode(refusal.code, texts);
    const message = 'error' in refusal || known !== undefined ? '' : refusal.message;
    return (
        <div className="alert bad" role="alert">
            <strong>{title ?? texts.signIn.provider.refused}</strong>
            {message ? (
                <p>
                    <Foreign>{message}</Foreign>
                </p>
            ) : (
                <p>{known ?? ('error' in refusal ? '' : adviceOf(refusal, texts).advice)}</p>
            )}
        </div>
    );
}

/** Returns the advice for a refusal of the server. */
function adviceOfCode(code: string, { signIn }: Texts): string | undefined {
    const known: Readonly<Record<string, string>> = { IR_17: signIn.provider.lapsed, UR_46: signIn.provider.unproved, HE_00: signIn.provider.away, MR_03: signIn.often };
    return known[code];
}

/** The words by which a provider says that the request was wrong. (RFC 6749, 4.1.2.1) */
const FAULTS = ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope'];

/** Returns the advice for a refusal of the provider. */
function adviceOfWord(word: string, { signIn: { provider } }: Texts): string {
    if (FAULTS.includes(word)) return provider.fault(word);
    if (word === 'access_denied') return provider.denied;
    return word === 'server_error' || word === 'temporarily_unavailable' ? provider.away : provider.unfinished;
}
