import { businessProfilesList } from 'multirail';
import { useMay, useRead, useSession } from '../shell/session.tsx';

/** The profile whose webhook endpoints are shown, and the others to choose from. */
export interface EndpointProfile {
    /** Absent until it is known. */
    id: string | undefined;
    error: unknown;
    retry: () => void;
    all: readonly (readonly [id: string, name: string])[];
}

/** Returns the profile that is asked for, else the one to which the console is limited, else the user's own. */
export function useEndpointProfile(asked: string): EndpointProfile {
    const { user, profileId } = useSession();
    const profiles = useRead(['profiles'], (client, signal) => businessProfilesList(client, user.merchant_id, { signal }), { enabled: useMay('business_profiles_list') });
    const all = profiles.data ?? [];
    const find = (id: string | null | undefined): string | undefined => all.find((one) => one.profile_id === id)?.profile_id;
    return {
        id: find(asked) ?? find(profileId) ?? find(user.profile_id) ?? all[0]?.profile_id,
        error: profiles.error,
        retry: () => void profiles.refetch(),
        all: all.map((one) => [one.profile_id, one.profile_name]),
    };
}
