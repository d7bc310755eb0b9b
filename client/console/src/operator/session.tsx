import { type QueryKey, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Client } from 'multirail';
import { createContext, type ReactNode, use } from 'react';

const Context = createContext<Client | undefined>(undefined);

export function OperatorProvider({ client, children }: { client: Client; children: ReactNode }): ReactNode {
    return <Context value={client}>{children}</Context>;
}

/** Reads from the server as the operator, and keeps the answer by its key. With `keep`, a list shows the former page until the next one is there. */
export function useOperatorRead<T>(key: QueryKey, read: (client: Client, signal: AbortSignal) => PromiseLike<T>, keep = false): UseQueryResult<T> {
    const client = use(Context);
    if (!client) throw new TypeError('a screen of the operator was shown without a session');
    return useQuery<T>({
        queryKey: ['operator', ...key],
        queryFn: async ({ signal }) => await read(client, signal),
        ...(keep ? { placeholderData: (former: T | undefined) => former as never } : {}),
    });
}
