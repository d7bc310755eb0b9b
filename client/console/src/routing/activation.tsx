import { routingActivate, routingDeactivate, routingRetrieve } from 'multirail';
import type { ReactNode } from 'react';
import { isolated } from '../format/foreign.ts';
import { useRead, useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { ActionDialog } from '../ui/action.tsx';
import { useChange } from '../ui/change.ts';
import { ReadStatus } from '../ui/states.tsx';
import type { Accounts } from './accounts.ts';
import { Estimate } from './estimate.tsx';
import { Summary } from './summary.tsx';

export interface ActivateProps {
    /** The configuration to activate. */
    next: { id: string; name: string };
    /** The configuration that it replaces. */
    former: { name: string } | undefined;
    accounts: Accounts;
    onClose: () => void;
}

/** The dialog that activates a configuration. It says what payments will do before anything changes. */
export function ActivateDialog({ next, former, accounts, onClose }: ActivateProps): ReactNode {
    const t = useTexts().routing;
    const { client } = useSession();
    const read = useRead(['routing', 'configuration', next.id], (reader, signal) => routingRetrieve(reader, next.id, { signal }));
    const action = useChange(async () => {
        await routingActivate(client, next.id, { transaction_type: 'payment' });
        return t.activated(next.name);
    }, onClose);
    const consequence = former ? t.activateInstead(isolated(next.name), isolated(former.name)) : t.activateFirst(isolated(next.name));
    return (
        <ActionDialog title={t.activateTitle} submit={t.activate} action={action} check={() => read.data !== undefined} onClose={onClose} consequence={`${consequence} ${t.activateRest}`} size="roomy">
            <ReadStatus read={read} />
            {read.data ? <Summary algorithm={read.data.algorithm} accounts={accounts} /> : null}
            {read.data ? <Estimate profileId={read.data.profile_id} configuration={{ routing_id: next.id }} accounts={accounts} /> : null}
        </ActionDialog>
    );
}

export function DeactivateDialog({ profileId, name, onClose }: { profileId: string; name: string; onClose: () => void }): ReactNode {
    const t = useTexts().routing;
    const { client } = useSession();
    const action = useChange(async () => {
        await routingDeactivate(client, { profile_id: profileId });
        return t.deactivated(name);
    }, onClose);
    return <ActionDialog title={t.deactivateTitle} submit={t.deactivate} look="danger" action={action} onClose={onClose} consequence={t.deactivateConsequence(isolated(name))} />;
}
