// Checkout.com's own client. It declares no members, so those of requests come from its client for Python (checkout_types.py).
// Neither declares answers, nor verifies events.

import { createReadStream, readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Checkout } from "checkout-sdk-node";
import { readParts } from "./compare.mjs";

export const TYPES = `${readFileSync(process.env.JUDGE_CHECKOUT_REQUESTS, "utf8")}
import { WebhookPayload } from "checkout-sdk-node/dist/services/webhook-utils.js";
export type CheckoutEvent = WebhookPayload;
type Change<T> = (id: string, body?: T, key?: string) => Promise<unknown>;
export declare const checkout: {
  payments: {
    getPaymentList(query: PaymentsQueryFilter): Promise<unknown>;
    request(body: PaymentRequest, key?: string): Promise<unknown>;
    get(id: string): Promise<unknown>;
    getActions(id: string): Promise<unknown>;
    capture: Change<CaptureRequest>;
    void: Change<VoidRequest>;
    reverse: Change<ReversePaymentRequest>;
    refund: Change<RefundRequest>;
  };
  disputes: {
    getDetails(id: string): Promise<unknown>;
    accept(id: string): Promise<unknown>;
    provideEvidence(id: string, body: DisputeEvidenceRequest): Promise<unknown>;
    submit(id: string): Promise<unknown>;
  };
  files: { upload(body: unknown): Promise<unknown> };
};
`;

export function connect(agent, { headers, origin }) {
  const key = (headers.authorization ?? "").replace(/^Bearer /, "");
  const [subdomain] = new URL(origin).hostname.split(".");
  return new Checkout(key, { environment: "sandbox", subdomain, httpClient: "axios", agent });
}

const create = ({ body }) => [body];
const change = ({ path, body }) => [path.id, body];
const dispute = ({ path, body }) => [path.dispute_id, ...(body === undefined ? [] : [body])];

export const METHODS = {
  "GET /payments": ["payments.getPaymentList", ({ query }) => [query]],
  "POST /payments": ["payments.request", create],
  "GET /payments/{id}": ["payments.get", ({ path }) => [path.id]],
  "GET /payments/{id}/actions": ["payments.getActions", ({ path }) => [path.id]],
  "POST /payments/{id}/captures": ["payments.capture", change],
  "POST /payments/{id}/voids": ["payments.void", change],
  "POST /payments/{id}/reversals": ["payments.reverse", change],
  "POST /payments/{id}/refunds": ["payments.refund", change],
  "GET /disputes/{dispute_id}": ["disputes.getDetails", dispute],
  "POST /disputes/{dispute_id}/accept": ["disputes.accept", dispute],
  "PUT /disputes/{dispute_id}/evidence": ["disputes.provideEvidence", dispute],
  "POST /disputes/{dispute_id}/evidence": ["disputes.submit", dispute],
  "POST /files": [
    "files.upload",
    async (_, request) => {
      const { file, ...others } = await readParts(request);
      // The client takes a file of this machine, and its name from there.
      const copy = join(await mkdtemp(join(tmpdir(), "judge-")), file.name);
      await writeFile(copy, Buffer.from(await file.arrayBuffer()));
      return [{ file: createReadStream(copy), ...others }];
    },
  ],
};

// Only payments and their changes take a key.
export const options = ({ method, path }, idempotencyKey) => (method === "POST" && path.startsWith("/payments") ? [idempotencyKey] : []);

export const KEY_HEADER = "cko-idempotency-key";

// No refusal has a published type.
export const refusal = () => [null];

export const notices = { read: (notice) => [[JSON.parse(notice.body), "CheckoutEvent"]] };
