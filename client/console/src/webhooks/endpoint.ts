import type { UseQueryResult } from '@tanstack/react-query';
import { type WebhookEndpoint, webhookEndpointsList } from 'multirail';
import { useRead, useSession } from '../shell/session.tsx';

/** Reads the webhook endpoints of a profile, once the profile is known. */
export function useEndpoints(profileId: string | undefined, isAllowed = true): UseQueryResult<WebhookEndpoint[]> {
    const { user } = useSession();
    return useRead(['endpoints', profileId], (client, signal) => webhookEndpointsList(client, user.merchant_id, profileId ?? '', { signal }), { enabled: isAllowed && profileId !== undefined });
}

/** Returns whether enabling the endpoint has an effect: it is disabled, or its deliveries are paused. */
export function isStopped(endpoint: WebhookEndpoint): boolean {
    return endpoint.disabled || endpoint.webhook_delivery.state === 'paused';
}
