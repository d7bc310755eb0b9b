import { businessProfilesList } from 'multirail';
import type { ReactNode } from 'react';
import { Foreign, Id } from '../ui/text.tsx';
import { useMay, useRead, useSession } from './session.tsx';

/** The name of a business profile, or its id if the role may not list profiles. */
export function ProfileName({ id }: { id: string }): ReactNode {
    const { user } = useSession();
    const profiles = useRead(['profiles'], (client, signal) => businessProfilesList(client, user.merchant_id, { signal }), { enabled: useMay('business_profiles_list') });
    const name = profiles.data?.find((one) => one.profile_id === id)?.profile_name;
    return name ? <Foreign longest={60}>{name}</Foreign> : <Id>{id}</Id>;
}
