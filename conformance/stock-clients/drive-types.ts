// Pays with the types of openapi-typescript and the calls of openapi-fetch.
import createClient from "openapi-fetch";
import type { paths } from "./api";

function told<T>(what: string, answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(`${what}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

function is(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what} is ${String(found)}, not ${String(wanted)}`);
}

async function main(): Promise<void> {
  const baseUrl = process.env["URL"];
  const { KEY, ADMIN_KEY, MERCHANT } = process.env;
  if (!baseUrl || !KEY || !ADMIN_KEY || !MERCHANT) throw new Error("set URL, KEY, ADMIN_KEY and MERCHANT");
  const merchant = createClient<paths>({ baseUrl, headers: { "api-key": KEY } });
  const operator = createClient<paths>({ baseUrl, headers: { "api-key": ADMIN_KEY } });

  const created = told("create", await merchant.POST("/payments", {
    body: { amount: 6540, currency: "USD", capture_method: "manual" },
  }));
  is("the new payment", created.status, "requires_payment_method");
  const path = { payment_id: created.payment_id };
  const confirmed = told("confirm", await merchant.POST("/payments/{payment_id}/confirm", {
    params: { path },
    body: {
      payment_method: "card",
      payment_method_data: {
        card: { card_number: "4111111111111111", card_exp_month: "10", card_exp_year: "35", card_cvc: "123" },
      },
    },
  }));
  is("the confirmed payment", confirmed.status, "requires_capture");
  const captured = told("capture", await merchant.POST("/payments/{payment_id}/capture", {
    params: { path },
    body: { amount_to_capture: 4000 },
  }));
  is("the captured payment", captured.status, "partially_captured");
  const refunded = told("refund", await merchant.POST("/refunds", {
    body: { payment_id: created.payment_id, amount: 1500 },
  }));
  is("the refund", refunded.status, "succeeded");
  const listed = told("events", await operator.POST("/events/{merchant_id}", {
    params: { path: { merchant_id: MERCHANT } },
    body: { object_id: created.payment_id },
  }));
  is("an event of the payment", listed.events.some((event) => event.event_type === "payment_captured"), true);
  console.log("openapi-typescript:", captured.status, refunded.status, listed.total_count, "events");
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
