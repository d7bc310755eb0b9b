import type { WebhookEndpoint } from 'multirail';

/** Returns whether enabling the endpoint has an effect: it is disabled, or its deliveries are paused. */
export function isStopped(endpoint: WebhookEndpoint): boolean {
    return endpoint.disabled || endpoint.webhook_delivery.state === 'paused';
}
