import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { sessionClient } from '../src/api/client.ts';
import { startOfDay } from '../src/format/time.ts';
import { readVolumes } from '../src/screens/volume.ts';
import { App } from '../src/shell/app.tsx';
import { PAYMENT, refused, type Sent, signedIn } from './server.ts';

interface Filter {
    limit: number;
    offset?: number;
    time_range?: { start_time: string; end_time?: string };
}

describe('a period', () => {
    it('counts back from the newest payment if the clock of the sandbox is ahead', async () => {
        const ahead = new Date(Date.now() + 40 * 86_400_000);
        const server = signedIn().on('POST', '/payments/list', () => ({ body: { count: 1, total_count: 1, data: [{ ...PAYMENT, created: ahead.toISOString() }] } }));
        const starts = (): Set<unknown> => new Set([...server.to('POST', '/payments/list'), ...server.to('POST', '/refunds/list')].map(({ body }) => (body as Filter).time_range?.start_time).filter(Boolean));
        render(<App />);
        expect(await screen.findByRole('heading', { name: 'Volume by currency' })).toBeTruthy();
        await waitFor(() => expect(starts()).toEqual(new Set([startOfDay(6, ahead)])));
        await userEvent.click(screen.getByRole('button', { name: 'Today' }));
        await waitFor(() => expect(starts()).toEqual(new Set([startOfDay(6, ahead), startOfDay(0, ahead)])));
    });

    it('can be read again if the newest payment could not be read', async () => {
        const server = signedIn().on('POST', '/payments/list', () => refused(400, 'IR_06', 'odd'));
        render(<App />);
        const retry = await screen.findByRole('button', { name: 'Try again' });
        server.on('POST', '/payments/list', () => ({ body: { count: 1, total_count: 1, data: [PAYMENT] } }));
        await userEvent.click(retry);
        expect(await screen.findByRole('heading', { name: 'Volume by currency' })).toBeTruthy();
    });
});

describe('an empty Home', () => {
    const empty = (sandbox: boolean) =>
        signedIn()
            .on('GET', '/', () => ({ body: { name: 'multirail', sandbox } }))
            .on('POST', '/payments/list', () => ({ body: { count: 0, total_count: 0, data: [] } }));

    it('names the command that fills a sandbox, and what it does to the session', async () => {
        empty(true);
        render(<App />);
        const command = await screen.findByText('multirail demo seed');
        expect(command.parentElement?.textContent).toBe('multirail demo seed fills the sandbox with a week of business. It moves the clock on by seven days, so your session ends.');
    });

    it('names no such command where money is real', async () => {
        empty(false);
        render(<App />);
        expect(await screen.findByText('Live mode: real money moves.')).toBeTruthy();
        expect(await screen.findByText('No payments yet')).toBeTruthy();
        expect(screen.queryByText('multirail demo seed')).toBeNull();
    });
});

describe('the volume', () => {
    const start_time = '2026-02-01T00:00:00.000Z';
    // The newest payment comes first, one each minute.
    const payments = Array.from({ length: 70 }, (_, index) => ({ ...PAYMENT, payment_id: `pay_${index}`, amount_received: 100, created: new Date(Date.UTC(2060, 1, 1, 0, 70 - index)).toISOString() }));
    const page = (all: readonly (typeof PAYMENT)[]) => (sent: Sent): { body: object } => {
        const { limit, offset = 0, time_range } = sent.body as Filter;
        const fitting = all.filter(({ created }) => !time_range?.end_time || created <= time_range.end_time);
        const data = fitting.slice(offset, offset + limit);
        return { body: { count: data.length, total_count: fitting.length, data } };
    };

    it('sums payments whose time is ahead of the browser’s', async () => {
        signedIn().on('POST', '/payments/list', page(payments));
        expect(await readVolumes(sessionClient(), { start_time }, new AbortController().signal)).toEqual([{ currency: 'EUR', captured: 7000n, payments: 70 }]);
    });

    it('is not summed if it has more than 500 payments', async () => {
        const body = { count: 50, total_count: 501, data: payments.slice(0, 50) };
        const server = signedIn().on('POST', '/payments/list', () => ({ body }));
        expect(await readVolumes(sessionClient(), { start_time }, new AbortController().signal)).toBeNull();
        expect(server.to('POST', '/payments/list')).toHaveLength(1);
        server.on('POST', '/payments/list', page(Array.from({ length: 500 }, (_, index) => ({ ...payments[0]!, payment_id: `pay_${index}` }))));
        expect(await readVolumes(sessionClient(), { start_time }, new AbortController().signal)).toEqual([{ currency: 'EUR', captured: 50_000n, payments: 500 }]);
    });

    it('leaves out a payment that arrives between two pages', async () => {
        const late = { ...PAYMENT, payment_id: 'pay_late', amount_received: 5, created: '2060-02-02T00:00:00.000Z' };
        const server = signedIn();
        server.on('POST', '/payments/list', (sent) => page((sent.body as Filter).offset ? [late, ...payments] : payments)(sent));
        expect(await readVolumes(sessionClient(), { start_time }, new AbortController().signal)).toEqual([{ currency: 'EUR', captured: 7000n, payments: 70 }]);
        expect(server.to('POST', '/payments/list').map(({ body }) => (body as Filter).time_range)).toEqual([{ start_time }, { start_time, end_time: payments[0]!.created }]);
    });
});
