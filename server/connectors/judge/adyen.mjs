// Adyen's own client: its methods, and its check of notices.

import adyen from "@adyen/api-library";

const { CheckoutAPI, Client, DisputesAPI, EnvironmentEnum, HttpURLConnectionClient, hmacValidator: HmacValidator } = adyen;

export const TYPES = `
import { CheckoutAPI, DisputesAPI, Types } from "@adyen/api-library";
export declare const adyen: { checkout: CheckoutAPI; disputes: DisputesAPI };
export type AdyenError = Types.checkout.ServiceError;
export type AdyenNotice = Types.notification.Notification;
`;

export function connect(agent, { headers }) {
  const httpClient = new HttpURLConnectionClient();
  httpClient.proxy = { host: agent.proxy.hostname, port: Number(agent.proxy.port) };
  const client = new Client({ apiKey: headers["x-api-key"], environment: EnvironmentEnum.TEST, httpClient });
  client.httpClient = httpClient;
  return { checkout: new CheckoutAPI(client), disputes: new DisputesAPI(client) };
}

const change = ({ path, body }) => [path.paymentPspReference, body];
const create = ({ body }) => [body];

export const METHODS = {
  "POST /payments": ["checkout.PaymentsApi.payments", create],
  "POST /payments/details": ["checkout.PaymentsApi.paymentsDetails", create],
  "POST /paymentMethods": ["checkout.PaymentsApi.paymentMethods", create],
  "POST /payments/{paymentPspReference}/amountUpdates": ["checkout.ModificationsApi.updateAuthorisedAmount", change],
  "POST /payments/{paymentPspReference}/captures": ["checkout.ModificationsApi.captureAuthorisedPayment", change],
  "POST /payments/{paymentPspReference}/cancels": ["checkout.ModificationsApi.cancelAuthorisedPaymentByPspReference", change],
  "POST /payments/{paymentPspReference}/reversals": ["checkout.ModificationsApi.refundOrCancelPayment", change],
  "POST /payments/{paymentPspReference}/refunds": ["checkout.ModificationsApi.refundCapturedPayment", change],
  "POST /cancels": ["checkout.ModificationsApi.cancelAuthorisedPayment", create],
  "DELETE /storedPaymentMethods/{storedPaymentMethodId}": [
    "checkout.RecurringApi.deleteTokenForStoredPaymentDetails",
    ({ path, query }) => [path.storedPaymentMethodId, query.shopperReference, query.merchantAccount],
  ],
  "POST /acceptDispute": ["disputes.DisputesApi.acceptDispute", create],
  "POST /retrieveApplicableDefenseReasons": ["disputes.DisputesApi.retrieveApplicableDefenseReasons", create],
  "POST /supplyDefenseDocument": ["disputes.DisputesApi.supplyDefenseDocument", create],
  "POST /deleteDisputeDefenseDocument": ["disputes.DisputesApi.deleteDisputeDefenseDocument", create],
  "POST /defendDispute": ["disputes.DisputesApi.defendDispute", create],
};

export const options = (_, idempotencyKey) => [{ ...(idempotencyKey && { idempotencyKey }) }];

export const KEY_HEADER = "idempotency-key";

export const refusal = (answer) => [answer, "AdyenError"];

const items = ({ body }) => JSON.parse(body).notificationItems.map((item) => item.NotificationRequestItem);

export const notices = {
  believes: (notice) => items(notice).every((item) => new HmacValidator().validateHMAC(item, notice.secret)),
  forged: (notice) => ({ ...notice, body: notice.body.replace(/"value":(\d+)/, '"value":1$1') }),
  read: (notice) => [[JSON.parse(notice.body), "AdyenNotice"]],
};
