import { connectorAccountsList } from 'multirail';
import { useRead, useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import type { Target } from './algorithm.ts';

/** The accounts to which the payments of a profile can go. */
export interface Accounts {
    isPending: boolean;
    error: unknown;
    retry: () => void;
    list: readonly { id: string; connector: string; label: string; isUsable: boolean }[];
    /** Returns an account's name. A deleted account has the name of its connector. */
    nameOf: (target: Target) => string;
    /** Returns what people should know about an account: its connector, and whether it is in use. */
    noteOf: (target: Target) => string;
}

export function useAccounts(profileId: string | undefined): Accounts {
    const t = useTexts().routing;
    const { user } = useSession();
    const read = useRead(['connectors'], (client, signal) => connectorAccountsList(client, user.merchant_id, { signal }));
    const list = (read.data ?? [])
        .filter((one) => one.connector_type === 'payment_processor' && (profileId === undefined || one.profile_id === profileId))
        .map((one) => ({ id: one.merchant_connector_id, connector: one.connector_name as string, label: one.connector_label ?? one.connector_name, isUsable: !one.disabled && one.status === 'active' }));
    const find = ({ connector, id }: Target): (typeof list)[number] | undefined => list.find((one) => (id === undefined ? one.connector === connector : one.id === id));
    return {
        isPending: read.isPending,
        error: read.error,
        retry: () => void read.refetch(),
        list,
        nameOf: (target) => find(target)?.label ?? target.connector,
        noteOf: (target) => {
            const account = find(target);
            if (!account) return t.goneAccount;
            return [account.label === account.connector ? '' : account.connector, account.isUsable ? '' : t.disabledAccount].filter(Boolean).join(' · ');
        },
    };
}
