import {
    type Client,
    type SubscriptionCancelRequest,
    type SubscriptionPauseRequest,
    type SubscriptionResumeRequest,
    type SubscriptionUpdateRequest,
    userSubscriptionsCancel,
    userSubscriptionsPause,
    userSubscriptionsResume,
    userSubscriptionsUpdate,
} from 'multirail';
import { withKey } from '../api/keys.ts';
import { useSession } from '../shell/session.tsx';
import type { Action } from '../ui/action.tsx';
import { useChange } from '../ui/change.ts';
import { OPERATIONS } from './actions.ts';

/** An action with the content that its operation takes. */
export type Request =
    | { action: 'change'; body: SubscriptionUpdateRequest }
    | { action: 'pause'; body: SubscriptionPauseRequest }
    | { action: 'resume'; body: SubscriptionResumeRequest }
    | { action: 'cancel'; body: SubscriptionCancelRequest };

async function send(client: Client, id: string, request: Request, idempotencyKey: string): Promise<void> {
    const options = { idempotencyKey };
    switch (request.action) {
        case 'change':
            await userSubscriptionsUpdate(client, id, request.body, options);
            return;
        case 'pause':
            await userSubscriptionsPause(client, id, request.body, options);
            return;
        case 'resume':
            await userSubscriptionsResume(client, id, request.body, options);
            return;
        case 'cancel':
            await userSubscriptionsCancel(client, id, request.body, options);
    }
}

/**
 * Returns the action of a dialog, which tells this sentence once it is done. While its outcome is unknown, the same content has
 * the same key, even in a new dialog: nobody is charged twice.
 */
export function useSubscriptionAction(id: string, request: () => Request, done: string, onClose: () => void): Action {
    const { client } = useSession();
    return useChange(
        async () => {
            const sent = request();
            await withKey(OPERATIONS[sent.action], { id, ...sent.body }, (key) => send(client, id, sent, key));
            return done;
        },
        onClose,
    );
}
