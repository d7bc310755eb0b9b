import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ServerClock } from '../src/api/clock.ts';
import { open } from './page.tsx';
import { type Server, signedIn } from './server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the clock of the server', () => {
    const REAL = Date.parse('2026-02-01T12:00:00Z');
    const at = (time: number): string => new Date(time).toISOString();
    const date = (time: number): string => new Date(time).toUTCString();

    it('is that of its answers, if the browser’s is wrong by more than an answer takes', () => {
        let browser = REAL;
        let changes = 0;
        const clock = new ServerClock(() => browser);
        const cancel = clock.subscribe(() => changes++);
        for (const header of [null, 'never', date(REAL - 2_000), date(REAL + 1_000)]) clock.takeDate(header);
        expect([clock.now(), changes]).toEqual([REAL, 0]);
        clock.takeDate(date(REAL - 3 * DAY));
        expect([clock.now(), changes]).toEqual([REAL - 3 * DAY + 500, 1]);
        browser += HOUR;
        expect(clock.now()).toBe(REAL - 3 * DAY + 500 + HOUR);
        // Somebody corrects the browser's clock.
        browser = REAL - 3 * DAY + HOUR;
        clock.takeDate(date(browser));
        expect(clock.now()).toBe(browser + 500);
        cancel();
        clock.takeDate(date(REAL + DAY));
        expect(changes).toBe(2);
    });

    it('is ahead of real time if that of the sandbox was moved', () => {
        const clock = new ServerClock(() => REAL + 3 * DAY);
        clock.takeDate(date(REAL));
        clock.takeUse(at(REAL - 59_000));
        expect(clock.now()).toBe(REAL + 500);
        clock.takeUse(at(REAL + 7 * DAY));
        expect(clock.now()).toBe(REAL + 7 * DAY);
        // The same session within the minute in which its use is not recorded again.
        clock.takeUse(at(REAL + 7 * DAY - 59_000));
        clock.takeUse('never');
        expect(clock.now()).toBe(REAL + 7 * DAY);
        // The sandbox was begun anew.
        clock.takeUse(at(REAL - 1_000));
        expect(clock.now()).toBe(REAL + 500);
    });
});

describe('the times on a screen', () => {
    const session = { merchant_id: 'demo', created_at: '2026-02-01T10:00:00.000Z', expires_at: '2026-02-01T22:00:00.000Z', client_address: '127.0.0.1' };
    const shows = async (server: Server, now: number): Promise<void> => {
        const used = (before: number): string => new Date(now - before).toISOString();
        server.on('GET', '/user/sessions', () => ({
            body: [
                { ...session, session_id: 'ses_1', kind: 'console', is_current: true, user_agent: 'Firefox', last_used_at: used(0) },
                { ...session, session_id: 'ses_2', kind: 'token', is_current: false, user_agent: 'curl', last_used_at: used(2 * HOUR + 600_000) },
            ],
        }));
        open('/sessions');
        expect(await screen.findByText('2 hours ago')).toBeTruthy();
    };

    it('count from the server’s clock if the browser’s is wrong', async () => {
        const clock = (): number => Date.now() - 3 * DAY;
        const server = signedIn()
            .on('GET', '/', () => ({ body: { sandbox: false } }))
            .timedBy(clock);
        await shows(server, clock());
        expect(server.to('GET', '/user/sessions')).toHaveLength(1);
    });

    it('count from the clock of a sandbox that was moved', async () => {
        await shows(signedIn().timedBy(() => Date.now()), Date.now() + 7 * DAY);
    });
});
