import type { UseQueryResult } from '@tanstack/react-query';
import { type OfferedItem, subscriptionItemsList } from 'multirail';
import { useRead } from '../shell/session.tsx';

/** The most products, and the most plans, that are read. */
export const MOST = 100;

/** Reads the plans that a profile's billing account offers, with their offered prices. */
export function usePlans(profileId: string): UseQueryResult<OfferedItem[]> {
    return useRead(['catalogue', profileId, 'offers'], (client, signal) => subscriptionItemsList(client, { item_type: 'plan', limit: MOST }, { signal, profileId }));
}
