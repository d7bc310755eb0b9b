// Stripe's own client: its methods, and its verification of events.

import Stripe from "stripe";
import { readParts } from "./compare.mjs";

export const TYPES = `
import Stripe from "stripe";
export declare const stripe: Stripe;
export type StripeEvent = Stripe.Event;
// Every refusal has the members of a payment's last error.
export type StripeError = Stripe.PaymentIntent.LastPaymentError;
`;

export function connect(agent, { headers }) {
  const key = (headers.authorization ?? "").replace(/^Bearer /, "");
  return new Stripe(key, { httpAgent: agent, telemetry: false, maxNetworkRetries: 0 });
}

const intent = ({ path, query, body }) => [path.intent, body ?? query];
const list = ({ query }) => [query];
const create = ({ body }) => [body];

// The client's method of each operation, and its arguments.
export const METHODS = {
  "GET /v1/payment_intents": ["paymentIntents.list", list],
  "POST /v1/payment_intents": ["paymentIntents.create", create],
  "GET /v1/payment_intents/search": ["paymentIntents.search", list],
  "GET /v1/payment_intents/{intent}": ["paymentIntents.retrieve", intent],
  "POST /v1/payment_intents/{intent}/capture": ["paymentIntents.capture", intent],
  "POST /v1/payment_intents/{intent}/increment_authorization": ["paymentIntents.incrementAuthorization", intent],
  "POST /v1/payment_intents/{intent}/cancel": ["paymentIntents.cancel", intent],
  "GET /v1/customers": ["customers.list", list],
  "POST /v1/customers": ["customers.create", create],
  "DELETE /v1/customers/{customer}": ["customers.del", ({ path }) => [path.customer, {}]],
  "POST /v1/payment_methods/{payment_method}/detach": ["paymentMethods.detach", ({ path }) => [path.payment_method, {}]],
  "GET /v1/setup_intents": ["setupIntents.list", list],
  "POST /v1/setup_intents": ["setupIntents.create", create],
  "GET /v1/setup_intents/{intent}": ["setupIntents.retrieve", intent],
  "POST /v1/setup_intents/{intent}/cancel": ["setupIntents.cancel", intent],
  "GET /v1/refunds": ["refunds.list", list],
  "POST /v1/refunds": ["refunds.create", create],
  "GET /v1/refunds/{refund}": ["refunds.retrieve", ({ path }) => [path.refund, {}]],
  "GET /v1/disputes": ["disputes.list", list],
  "GET /v1/disputes/{dispute}": ["disputes.retrieve", ({ path }) => [path.dispute, {}]],
  "POST /v1/disputes/{dispute}": ["disputes.update", ({ path, body }) => [path.dispute, body]],
  "POST /v1/disputes/{dispute}/close": ["disputes.close", ({ path }) => [path.dispute, {}]],
  "POST /v1/files": [
    "files.create",
    async (_, request) => {
      const { file, ...others } = await readParts(request);
      return [{ file: { data: Buffer.from(await file.arrayBuffer()), name: file.name, type: file.type }, ...others }];
    },
  ],
};

export function options({ headers }, idempotencyKey) {
  const account = headers["stripe-account"];
  return [{ ...(account && { stripeAccount: account }), ...(idempotencyKey && { idempotencyKey }) }];
}

export const KEY_HEADER = "idempotency-key";

// Returns the part of a refusal that has a published type.
export const refusal = (answer) => [answer.error, "StripeError"];

// Returns whether the client believes this event.
function believes({ headers, body, secret }) {
  const [, time] = /^t=(\d+),/.exec(headers["stripe-signature"]);
  try {
    new Stripe("sk_test_none").webhooks.constructEvent(body, headers["stripe-signature"], secret, 300, undefined, Number(time) + 10);
    return true;
  } catch (error) {
    if (error.type === "StripeSignatureVerificationError") return false;
    throw error;
  }
}

export const notices = { believes, forged: (notice) => ({ ...notice, body: notice.body.replace("}", " }") }), read: (notice) => [[JSON.parse(notice.body), "StripeEvent"]] };
