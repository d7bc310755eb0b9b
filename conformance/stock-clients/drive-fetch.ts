// Pays with openapi-generator's typescript-fetch client.
import { Configuration, EventsApi, PaymentsApi, RefundsApi } from "./fetch";

function is(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Error(`${what} is ${String(found)}, not ${String(wanted)}`);
}

async function main(): Promise<void> {
  const basePath = process.env["URL"];
  const { KEY, ADMIN_KEY, MERCHANT } = process.env;
  if (!basePath || !KEY || !ADMIN_KEY || !MERCHANT) throw new Error("set URL, KEY, ADMIN_KEY and MERCHANT");
  const withKey = (key: string) => new Configuration({ basePath, headers: { "api-key": key } });
  const payments = new PaymentsApi(withKey(KEY));

  const created = await payments.paymentsCreate({
    paymentCreateRequest: { amount: 6540, currency: "USD", captureMethod: "manual" },
  });
  is("the new payment", created.status, "requires_payment_method");
  const paymentId = created.paymentId;
  const confirmed = await payments.paymentsConfirm({
    paymentId,
    paymentConfirmRequest: {
      paymentMethod: "card",
      paymentMethodData: {
        card: { cardNumber: "4111111111111111", cardExpMonth: "10", cardExpYear: "35", cardCvc: "123" },
      },
    },
  });
  is("the confirmed payment", confirmed.status, "requires_capture");
  const captured = await payments.paymentsCapture({ paymentId, paymentCaptureRequest: { amountToCapture: 4000 } });
  is("the captured payment", captured.status, "partially_captured");
  const refunded = await new RefundsApi(withKey(KEY)).refundsCreate({
    refundCreateRequest: { paymentId, amount: 1500 },
  });
  is("the refund", refunded.status, "succeeded");
  const listed = await new EventsApi(withKey(ADMIN_KEY)).eventsList({
    merchantId: MERCHANT,
    eventListRequest: { objectId: paymentId },
  });
  is("an event of the payment", listed.events.some((event) => event.eventType === "payment_captured"), true);
  console.log("typescript-fetch:", captured.status, refunded.status, listed.totalCount, "events");
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
