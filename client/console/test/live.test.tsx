import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FrameReader } from '../src/live/frames.ts';
import { follow, type Health, pauseAfter, type LeaderMessage, type Tabs } from '../src/live/leader.ts';
import { isStale, type Message, messageOf } from '../src/live/messages.ts';
import { App } from '../src/shell/app.tsx';
import { open } from './page.tsx';
import { ENDED, PAYMENT, signedIn } from './server.ts';

const change = (id: string, eventClass: string, objectId: string): string =>
    `id: ${id}\nevent: change\ndata: ${JSON.stringify({ event_class: eventClass, event_type: 'any', object_id: objectId })}\n\n`;

describe('a reader of frames', () => {
    it('reads messages from pieces that end anywhere', () => {
        const text = `retry: 3000\n\n:\n\n${change('evt_1', 'payments', 'pay_1')}event: reset\ndata: {}\n\nid: evt_2`;
        for (const size of [1, 7, 1000]) {
            const reader = new FrameReader();
            const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
            const read = pieces.flatMap((piece) => reader.read(piece));
            expect(read.map(({ id, event }) => [id, event])).toEqual([
                ['evt_1', 'change'],
                ['', 'reset'],
            ]);
            expect(messageOf(read[0]!)).toEqual({ kind: 'change', eventClass: 'payments', objectId: 'pay_1' });
        }
    });

    it('doesn’t gather a message without an end', () => {
        expect(() => new FrameReader().read('x'.repeat(20_000))).toThrow(TypeError);
    });

    it('skips what it doesn’t know', () => {
        for (const [event, data] of [['other', '{}'], ['change', '{'], ['change', '{"event_class":7}']] as const) expect(messageOf({ id: '', event, data })).toBeUndefined();
    });
});

describe('a change', () => {
    const paid: Message = { kind: 'change', eventClass: 'payments', objectId: 'pay_1' };
    const stale = (message: Message, ...key: string[]): boolean => isStale(['demo', '', ...key], [message]);

    it('concerns the reads that show its object', () => {
        expect([stale(paid, 'payments', '{}'), stale(paid, 'payment', 'pay_1'), stale(paid, 'home', 'counts')]).toEqual([true, true, true]);
        expect([stale(paid, 'payment', 'pay_2'), stale(paid, 'disputes'), stale(paid, 'team')]).toEqual([false, false, false]);
        // A refund changes its payment, which the message doesn't name.
        expect(stale({ kind: 'change', eventClass: 'refunds', objectId: 'ref_1' }, 'payment', 'pay_2')).toBe(true);
        expect(stale({ kind: 'change', eventClass: 'unknown', objectId: 'x' }, 'payments')).toBe(false);
        const billed: Message = { kind: 'change', eventClass: 'subscriptions', objectId: 'sub_1' };
        expect([stale(billed, 'subscriptions', '{}'), stale(billed, 'subscription', 'sub_1'), stale(billed, 'subscription', 'sub_2')]).toEqual([true, true, false]);
    });

    it('may be anything after a reset, except what no event tells of', () => {
        expect([stale({ kind: 'reset' }, 'disputes'), stale({ kind: 'reset' }, 'payment', 'pay_2'), stale({ kind: 'reset' }, 'team')]).toEqual([true, true, false]);
        expect(isStale(['server'], [{ kind: 'reset' }])).toBe(false);
    });
});

/** A browser of a test: its tabs share a lock and a channel, and a stream stays open until the test ends it. */
class Browser {
    readonly opened: (string | undefined)[] = [];
    readonly pauses: number[] = [];
    #answers: (() => Response)[] = [];
    #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    #tabs = new Set<(message: LeaderMessage) => void>();
    #lock: Promise<unknown> = Promise.resolve();
    #waiting = 0;

    /** Answers the next try like this. */
    answers(status: number): void {
        this.#answers.push(() => new Response('{}', { status }));
    }

    says(text: string): void {
        this.#stream?.enqueue(new TextEncoder().encode(text));
    }

    ends(): void {
        this.#stream?.close();
    }

    readonly open = (last: string | undefined): Promise<Response> => {
        this.opened.push(last);
        const answer = this.#answers.shift();
        const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#stream = controller) });
        return Promise.resolve(answer ? answer() : new Response(body));
    };

    /** Opens a tab. */
    tab(): { messages: Message[]; health: Health[]; close: () => void; over: Promise<void> } {
        const messages: Message[] = [];
        const health: Health[] = [];
        const end = new AbortController();
        const over = follow(this.open, this.#share(), { onMessage: (one) => messages.push(one), onHealth: (one) => health.push(one) }, end.signal);
        return { messages, health, close: () => end.abort(), over };
    }

    #share(): Tabs {
        let own: ((message: LeaderMessage) => void) | undefined;
        return {
            alone: async (work, signal) => {
                const waited = this.#waiting++ > 0;
                const before = this.#lock;
                const turn = before.then(() => (signal.aborted ? undefined : work(waited)));
                this.#lock = turn;
                await turn;
                this.#waiting--;
            },
            send: (message) => {
                for (const tab of this.#tabs) if (tab !== own) tab(message);
            },
            listen: (listener, signal) => {
                own = listener;
                this.#tabs.add(listener);
                signal.addEventListener('abort', () => this.#tabs.delete(listener));
            },
            pause: (milliseconds) => {
                this.pauses.push(milliseconds);
                return Promise.resolve();
            },
            random: () => 0,
        };
    }
}

describe('the tabs of a browser', () => {
    const paid = (objectId: string): Message => ({ kind: 'change', eventClass: 'payments', objectId });

    it('share one stream, which another tab continues where it ended', async () => {
        const browser = new Browser();
        const [first, second] = [browser.tab(), browser.tab()];
        await vi.waitFor(() => expect(second.health).toEqual(['live']));
        browser.says(change('evt_1', 'payments', 'pay_1'));
        await vi.waitFor(() => expect([first.messages, second.messages]).toEqual([[paid('pay_1')], [paid('pay_1')]]));
        first.close();
        await first.over;
        await vi.waitFor(() => expect(browser.opened).toEqual([undefined, 'evt_1']));
        browser.says(change('evt_2', 'payments', 'pay_2'));
        await vi.waitFor(() => expect(second.messages).toEqual([paid('pay_1'), paid('pay_2')]));
        expect(first.messages).toHaveLength(1);
        second.close();
        await second.over;
    });

    it('load everything again if nobody knows where the stream ended', async () => {
        const browser = new Browser();
        const first = browser.tab();
        await vi.waitFor(() => expect(first.health).toEqual(['live']));
        const second = browser.tab();
        first.close();
        await vi.waitFor(() => expect(second.messages).toEqual([{ kind: 'reset' }]));
        // After the server's own reset there is no place either.
        browser.says(`${change('evt_1', 'payments', 'pay_1')}event: reset\ndata: {}\n\n`);
        await vi.waitFor(() => expect(second.messages).toHaveLength(3));
        browser.ends();
        await vi.waitFor(() => expect(browser.opened).toEqual([undefined, undefined, undefined]));
        second.close();
        await second.over;
    });

    it('wait longer after each failure, and say that the stream is broken', async () => {
        const browser = new Browser();
        for (const status of [503, 429, 500]) browser.answers(status);
        const tab = browser.tab();
        await vi.waitFor(() => expect(tab.health).toEqual(['broken', 'broken', 'broken', 'live']));
        expect(browser.pauses).toEqual([1_500, 3_000, 6_000]);
        expect([pauseAfter(99, 0), pauseAfter(99, 1)]).toEqual([30_000, 60_000]);
        browser.ends();
        await vi.waitFor(() => expect(browser.pauses).toEqual([1_500, 3_000, 6_000, 1_500]));
        tab.close();
        await tab.over;
    });

    it('try no more if another try is of no use', async () => {
        for (const status of [401, 403, 404, 405]) {
            const browser = new Browser();
            browser.answers(status);
            const tab = browser.tab();
            await tab.over;
            expect([browser.opened.length, browser.pauses]).toEqual([1, []]);
        }
    });
});

describe('the console', () => {
    afterEach(() => void vi.useRealTimers());

    it('shows a payment that was just made', async () => {
        const never = new Promise<never>(() => {});
        let streams = 0;
        let made: object[] = [];
        const server = signedIn()
            .on('POST', '/payments/list', () => ({ body: { count: made.length, total_count: made.length, data: made } }))
            .on('GET', '/user/changes', () => (streams++ === 0 ? { body: change('evt_1', 'payments', 'pay_1') } : never));
        open('/payments');
        await waitFor(() => expect(server.to('POST', '/payments/list')).toHaveLength(1));
        made = [PAYMENT];
        expect(await screen.findByText(/65\.40/)).toBeTruthy();
        // The next stream continues after the last event.
        await waitFor(() => expect(server.to('GET', '/user/changes').map(({ headers }) => headers.get('last-event-id'))).toEqual([null, 'evt_1']));
    });

    it('ends with the session', async () => {
        const server = signedIn().on('GET', '/user/changes', () => ENDED);
        render(<App />);
        expect(await screen.findByText(/Your session has ended/)).toBeTruthy();
        expect(server.to('GET', '/user/changes')).toHaveLength(1);
    });

    it('says that it gets no live updates only if that lasts', async () => {
        vi.useFakeTimers({ shouldAdvanceTime: true });
        signedIn().on('GET', '/user/changes', () => ({ status: 503, body: {} }));
        render(<App />);
        await screen.findByRole('link', { name: 'Payments' });
        await act(() => vi.advanceTimersByTimeAsync(5_000));
        expect(screen.queryByText(/No live updates/)).toBeNull();
        await act(() => vi.advanceTimersByTimeAsync(30_000));
        expect(screen.getByText(/No live updates/).getAttribute('aria-live')).toBe('polite');
    });
});
