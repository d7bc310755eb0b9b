import { QueryClient } from '@tanstack/react-query';

/**
 * Returns a store of answers. Calls that are harmless to repeat were repeated by the client already. Without a connection a
 * read fails at once, so that the screen says so.
 */
export function answers(): QueryClient {
    return new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000, networkMode: 'always' } } });
}

/** Removes the answers of a session. Those that need no session, such as the server's description, stay. */
export function forgetAnswers(store: QueryClient): void {
    store.removeQueries({ predicate: (query) => query.queryKey[0] !== 'server' });
}
