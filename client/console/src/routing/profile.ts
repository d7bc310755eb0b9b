import { businessProfilesList, type ProfileDefaultRouting, routingDefaultList } from 'multirail';
import { useMay, useRead, useSession } from '../shell/session.tsx';

/** The profile whose routing is shown, and the others to choose from. */
export interface RoutedProfile {
    isPending: boolean;
    error: unknown;
    retry: () => void;
    /** The profile and its default order. */
    current: ProfileDefaultRouting | undefined;
    all: readonly (readonly [id: string, name: string])[];
}

/** Returns the profile that is asked for, else the one to which the console is limited, else the user's own. */
export function useRoutedProfile(asked: string): RoutedProfile {
    const { user, profileId } = useSession();
    const orders = useRead(['routing', 'orders'], (client, signal) => routingDefaultList(client, undefined, { signal }));
    const names = useRead(['profiles'], (client, signal) => businessProfilesList(client, user.merchant_id, { signal }), { enabled: useMay('business_profiles_list') });
    const all = orders.data ?? [];
    const find = (id: string | null | undefined): ProfileDefaultRouting | undefined => all.find((one) => one.profile_id === id);
    const nameOf = (id: string): string => names.data?.find((one) => one.profile_id === id)?.profile_name ?? id;
    return {
        isPending: orders.isPending,
        error: orders.error,
        retry: () => void orders.refetch(),
        current: find(asked) ?? find(profileId) ?? find(user.profile_id) ?? all[0],
        all: all.map((one) => [one.profile_id, nameOf(one.profile_id)]),
    };
}
