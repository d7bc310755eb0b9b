import { useMemo } from 'react';
import { randomKey } from './keys.ts';
import { refusalOf } from './refusal.ts';

/** The idempotency key of a form. */
export interface ActionKey {
    /** Runs a call. While its outcome is unknown, the same content is sent with the same key, so that it takes effect once. */
    use: <Answer>(content: unknown, call: (key: string) => Promise<Answer>) => Promise<Answer>;
}

/** Keeps the key of a form as long as the form is open. Its content may have secrets, which don't outlive the form. */
export function useActionKey(): ActionKey {
    return useMemo(() => {
        let open: { content: string; key: string } | undefined;
        return {
            use: async (content, call) => {
                const text = JSON.stringify(content);
                if (open?.content !== text) open = { content: text, key: randomKey() };
                try {
                    const answer = await call(open.key);
                    open = undefined;
                    return answer;
                } catch (error) {
                    if (!refusalOf(error).isOutcomeUnknown) open = undefined;
                    throw error;
                }
            },
        };
    }, []);
}
