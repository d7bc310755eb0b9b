// The page of a shop, which has the publishable key and the secret of one payment. The chapters of its story go to the
// server that made the page.
import { ApiError, Client, paymentsConfirm, paymentsRetrieve } from 'multirail';

interface Given {
    baseUrl: string;
    publishableKey: string;
    apiKey: string;
    paymentId: string;
    clientSecret: string;
}

const { baseUrl, publishableKey, apiKey, paymentId, clientSecret }: Given = await (await fetch('/given')).json();
const chapters: [string, string][] = [];

async function told(chapter: string, story: () => Promise<string>): Promise<void> {
    const end = await story().catch((error: unknown) => `failed: ${error}`);
    chapters.push([chapter, end]);
}

const client = new Client({ baseUrl, apiKey: publishableKey });
const card = { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '2035', card_cvc: '123' };

await told('retrieve', async () => {
    const payment = await paymentsRetrieve(client, paymentId, { client_secret: clientSecret });
    return `${payment.amount} ${payment.currency} is ${payment.status}`;
});
await told('confirm', async () => {
    const payment = await paymentsConfirm(client, paymentId, {
        client_secret: clientSecret,
        payment_method: 'card',
        payment_method_data: { card },
    });
    return payment.status;
});
await told('refusal', async () => {
    const error: unknown = await paymentsRetrieve(client, paymentId, { client_secret: 'pay_1_secret_2' }).catch((error: unknown) => error);
    return error instanceof ApiError ? `${error.status} ${error.code}` : `${error}`;
});
await told('secret', async () => {
    try {
        new Client({ baseUrl, apiKey });
        return 'a secret key was taken';
    } catch (error) {
        return error instanceof TypeError ? 'a secret key is refused' : `${error}`;
    }
});
await fetch('/done', { method: 'POST', body: JSON.stringify(chapters) });
