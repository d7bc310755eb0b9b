import { type QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type UserDetails, usersRetrieve, usersSignOut } from 'multirail';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { Router, useLocation } from 'wouter';
import { onSessionEnd, sessionClient } from '../api/client.ts';
import { refusalOf } from '../api/refusal.ts';
import { type ProviderAnswer, serverInfo, switchMerchant } from '../api/session.ts';
import { TextsProvider, useTexts } from '../texts/index.tsx';
import { NoticeProvider } from '../ui/notices.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { answers, forgetAnswers } from './answers.ts';
import { type Arrival, arrive, type ProviderRefusal } from './arrival.ts';
import { Frame } from './frame.tsx';
import { useLanguage, useTheme } from './preferences.ts';
import { SessionProvider } from './session.tsx';
import { onTabMessage, tellTabs } from './tabs.ts';

/** The console. */
export function App({ linkToken, provider }: { linkToken?: string; provider?: ProviderAnswer }): ReactNode {
    const [language, setLanguage] = useLanguage();
    const [theme, setTheme] = useTheme();
    const [store] = useState(answers);
    const preferences = { language, setLanguage, theme, setTheme };
    return (
        <TextsProvider language={language}>
            <I18nProvider locale={language}>
                <QueryClientProvider client={store}>
                    <Router base="/console">
                        <NoticeProvider>
                            <Doors brought={{ linkToken, provider }} store={store} preferences={preferences} />
                        </NoticeProvider>
                    </Router>
                </QueryClientProvider>
            </I18nProvider>
        </TextsProvider>
    );
}

// A user who is signed in never sees the form.
const SignIn = lazy(() => import('./sign_in.tsx').then((module) => ({ default: module.SignIn })));
// Few people are operators.
const Operator = lazy(() => import('../operator/app.tsx').then((module) => ({ default: module.Operator })));

interface DoorProps {
    brought: Arrival;
    store: QueryClient;
    preferences: Preferences;
}

/** Decides by the address between the console of users and that of the operator. */
function Doors(props: DoorProps): ReactNode {
    const [path] = useLocation();
    if (path !== '/operator' && !path.startsWith('/operator/')) return <Door {...props} />;
    return (
        <Suspense fallback={<Loading />}>
            <Operator preferences={props.preferences} />
        </Suspense>
    );
}

export interface Preferences {
    language: ReturnType<typeof useLanguage>[0];
    setLanguage: ReturnType<typeof useLanguage>[1];
    theme: ReturnType<typeof useTheme>[0];
    setTheme: ReturnType<typeof useTheme>[1];
}

/** The form for signing in: what it says, and how far the user has come. */
interface Out {
    at: 'out';
    notice: string;
    isBad: boolean;
    /** The token of the second step, if the first one is done. */
    secondStep?: string;
    /** The screen that opens afterwards; the address says it if absent. */
    screen?: string | undefined;
    refusal?: ProviderRefusal;
}

type Place = { at: 'asking' } | { at: 'failed'; error: unknown } | Out | { at: 'in'; user: UserDetails };

/** Decides between the form for signing in and the console. The address stays, so that one returns to where one was. */
function Door({ brought, store, preferences }: DoorProps): ReactNode {
    const texts = useTexts();
    const client = useMemo(() => sessionClient(), []);
    const [place, setPlace] = useState<Place>({ at: 'asking' });
    const arrival = useRef(brought);
    const openScreen = useOpenScreen();
    const [linking, setLinking] = useState<ProviderAnswer>();
    const [profileId, setProfileId] = useState<string>();
    // They outlive screens and merchant accounts, because the server never shows them again.
    const [shown, setShown] = useState<{ userId: string; codes: readonly string[] }>();
    const profileClient = useMemo(() => (profileId ? sessionClient(profileId) : client), [client, profileId]);
    const info = useQuery({ queryKey: ['server'], queryFn: serverInfo, staleTime: Infinity, retry: 2 });

    const enter = useCallback(async (): Promise<void> => {
        const proofs = arrival.current;
        arrival.current = {};
        if (proofs.provider) {
            try {
                const user = await usersRetrieve(client);
                // The form for signing in is shown to nobody who is signed in. They went to the provider to link themselves.
                setLinking(proofs.provider);
                openScreen('/identity');
                return setPlace({ at: 'in', user });
            } catch (error) {
                if (!isNobody(error)) {
                    // The answer counts once. Without knowing the user, it could sign them in instead of linking them.
                    arrival.current = proofs;
                    return setPlace({ at: 'failed', error });
                }
            }
        }
        const arrived = await arrive(client, proofs);
        if (arrived.as === 'half') return setPlace({ at: 'out', notice: '', isBad: false, secondStep: arrived.token, screen: arrived.screen });
        if (arrived.as === 'user') {
            tellTabs('signed_in');
            openScreen(arrived.screen);
        }
        try {
            const user = await usersRetrieve(client);
            setPlace({ at: 'in', user });
        } catch (error) {
            if (!isNobody(error)) return setPlace({ at: 'failed', error });
            const refusal = arrived.as === 'refused' ? arrived.refusal : undefined;
            const isOfLink = refusal === 'link';
            setPlace({ at: 'out', notice: isOfLink ? texts.signIn.linkRefused : '', isBad: isOfLink, ...(refusal === undefined || isOfLink ? {} : { refusal }) });
        }
    }, [client, openScreen, texts]);

    useEffect(() => {
        void enter();
        // The first look happens once; a change of the language doesn't ask again.
    }, []);

    // Answers of the former session must not stay on the screen or in the memory.
    const leave = useCallback(
        (notice: string, isBad = false) => {
            setPlace((former) => (former.at === 'in' ? { at: 'out', notice, isBad } : former));
            setShown(undefined);
            setLinking(undefined);
            forgetAnswers(store);
        },
        [store],
    );
    useEffect(() => onSessionEnd(() => leave(texts.signIn.ended, true)), [leave, texts]);
    useEffect(
        () =>
            onTabMessage((message) => {
                if (message === 'signed_out') return leave(texts.signIn.signedOut);
                setProfileId(undefined);
                forgetAnswers(store);
                void enter();
            }),
        [enter, leave, store, texts],
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
        return (
            <Suspense fallback={<Loading />}>
                <SignIn
                    client={client}
                    info={info.data}
                    notice={place.notice}
                    isNoticeBad={place.isBad}
                    secondStep={place.secondStep}
                    refusal={place.refusal}
                    onSignedIn={() => {
                        tellTabs('signed_in');
                        openScreen(place.screen);
                        return enter();
                    }}
                />
            </Suspense>
        );
    }
    const { user } = place;
    const session = {
        user,
        client: profileClient,
        info: info.data,
        profileId,
        chooseProfile: setProfileId,
        chooseMerchant: async (merchantId: string) => {
            await switchMerchant(client, merchantId);
            setProfileId(undefined);
            forgetAnswers(store);
            tellTabs('switched');
            await enter();
        },
        codes: shown?.userId === user.user_id ? shown.codes : undefined,
        showCodes: (codes: readonly string[] | undefined) => setShown(codes && { userId: user.user_id, codes }),
        linking,
        endLinking: () => setLinking(undefined),
        renew: enter,
        signOut: () => {
            void usersSignOut(client).then(
                () => {
                    tellTabs('signed_out');
                    leave(texts.signIn.signedOut);
                },
                () => void enter(),
            );
        },
    };
    return (
        <SessionProvider session={session}>
            <Frame key={`${user.user_id} ${user.merchant_id}`} preferences={preferences} />
        </SessionProvider>
    );
}

/** Returns whether a read of the user was refused because no user is signed in, and didn't fail for another reason. */
function isNobody(error: unknown): boolean {
    const { kind, code } = refusalOf(error);
    return kind === 'ended' || code === 'IR_22';
}

/** Returns the way to open the screen at which a sign-in was begun. Another address than that of a screen opens nothing. */
function useOpenScreen(): (screen: string | undefined) => void {
    const [, navigate] = useLocation();
    return useCallback((screen) => {
        if (screen?.startsWith('/')) navigate(screen, { replace: true });
    }, [navigate]);
}
