import { Resources } from './generated/resources.js';
import { constructEvent } from './webhooks.js';

/** A client with a member for each resource: `multirail.payments.create(...)`. */
export class Multirail extends Resources {
    /** The verification of webhooks. It needs the profile's secret, and sends nothing. */
    readonly webhooks = { constructEvent };
}
