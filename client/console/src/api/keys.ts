import { refusalOf } from './refusal.ts';

/** The idempotency keys of actions whose outcome isn't known yet, by the action and its content. */
const open = new Map<string, string>();

/**
 * Returns the idempotency key of an action. Until its outcome is known, the same action with the same content has the
 * same key, even after its dialog was closed and opened again. So a repetition takes effect once.
 */
export function keyOf(action: string, content: unknown): string {
    const name = nameOf(action, content);
    const key = open.get(name) ?? randomKey();
    open.set(name, key);
    return key;
}

/** Forgets the key of an action whose outcome is known. The next such action is another one. */
export function closeKey(action: string, content: unknown): void {
    open.delete(nameOf(action, content));
}

/**
 * Runs the call of an action with its idempotency key. Only an unknown outcome keeps the key: after a refusal, the next try may
 * have another outcome.
 */
export async function withKey<Answer>(action: string, content: unknown, call: (key: string) => Promise<Answer>): Promise<Answer> {
    try {
        const answer = await call(keyOf(action, content));
        closeKey(action, content);
        return answer;
    } catch (error) {
        if (!refusalOf(error).isOutcomeUnknown) closeKey(action, content);
        throw error;
    }
}

function nameOf(action: string, content: unknown): string {
    return `${action} ${JSON.stringify(content)}`;
}

export function randomKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
