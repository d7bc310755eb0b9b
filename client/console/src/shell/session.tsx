import { type QueryKey, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Client, UserDetails } from 'multirail';
import { createContext, type ReactNode, use } from 'react';
import { may, type Operation } from '../api/roles.ts';
import type { ProviderAnswer, ServerInfo } from '../api/session.ts';

/** The signed-in user, the client that acts for them, and what they chose to see. */
export interface Session {
    user: UserDetails;
    client: Client;
    info: ServerInfo | undefined;
    /** The profile to which the console is limited; all profiles if absent. */
    profileId: string | undefined;
    chooseProfile: (profileId: string | undefined) => void;
    chooseMerchant: (merchantId: string) => Promise<void>;
    /** The user's new recovery codes. They are shown in place of every screen until the user has stored them. */
    codes: readonly string[] | undefined;
    showCodes: (codes: readonly string[] | undefined) => void;
    /** The identity provider's answer, with which the user came back to link themselves; absent if they didn't. */
    linking: ProviderAnswer | undefined;
    endLinking: () => void;
    /** Reads the user again, after a change of their own. */
    renew: () => Promise<void>;
    signOut: () => void;
}

const Context = createContext<Session | undefined>(undefined);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }): ReactNode {
    return <Context value={session}>{children}</Context>;
}

/** Returns the session. Only screens inside of the shell call it. */
export function useSession(): Session {
    const session = use(Context);
    if (!session) throw new TypeError('a screen was shown without a session');
    return session;
}

/** Returns whether the user's role may call an operation. */
export function useMay(operation: Operation): boolean {
    return may(useSession().user.role_id, operation);
}

/** The settings of a read. */
export interface ReadOptions<T> {
    /** False if there is nothing to read yet. */
    enabled?: boolean;
    /** Shows the former answer until the next one is there, so that a list doesn't flicker between pages. */
    keep?: boolean;
    /** Returns the milliseconds after which an answer is read again. */
    again?: (answer: T | undefined) => number | false;
}

/** Reads from the server, and keeps the answer by merchant account, profile and key. */
export function useRead<T>(key: QueryKey, read: (client: Client, signal: AbortSignal) => PromiseLike<T>, options: ReadOptions<T> = {}): UseQueryResult<T> {
    const { client, user, profileId } = useSession();
    const { again, enabled = true, keep = false } = options;
    return useQuery<T>({
        queryKey: [user.merchant_id, profileId ?? '', ...key],
        queryFn: async ({ signal }) => await read(client, signal),
        enabled,
        ...(keep ? { placeholderData: (former: T | undefined) => former as never } : {}),
        ...(again ? { refetchInterval: (query) => again(query.state.data) } : {}),
    });
}
