import { describe, expect, it } from 'vitest';
import { businessNow, distance, endOfDate, moment, rangeOfDates, startOfDate, startOfDay } from '../src/format/time.ts';

describe('times', () => {
    it('of a day are those of the person’s zone', () => {
        const start = new Date(startOfDate('2026-02-01')!);
        expect([start.getFullYear(), start.getMonth(), start.getDate(), start.getHours()]).toEqual([2026, 1, 1, 0]);
        const end = new Date(endOfDate('2026-02-28')!);
        expect([end.getMonth(), end.getDate(), end.getHours(), end.getMilliseconds()]).toEqual([1, 28, 23, 999]);
        expect(startOfDate('yesterday')).toBeUndefined();
    });

    it('between two days include both, and either can be open', () => {
        const [start_time, end_time] = [startOfDate('2026-02-01')!, endOfDate('2026-02-28')!];
        expect(rangeOfDates('2026-02-01', '2026-02-28')).toEqual({ start_time, end_time });
        expect(rangeOfDates('2026-02-01', '')).toEqual({ start_time });
        expect(rangeOfDates('', '2026-02-28')).toEqual({ start_time: '1970-01-01T00:00:00.000Z', end_time });
        expect(rangeOfDates('', 'yesterday')).toBeUndefined();
    });

    it('of a period begin at midnight', () => {
        const now = new Date(2026, 2, 3, 15, 30);
        expect(new Date(startOfDay(6, now))).toEqual(new Date(2026, 1, 25));
    });

    it('count back from the newest object if its clock is ahead', () => {
        const now = Date.parse('2026-02-01T12:00:00Z');
        expect(businessNow('2026-02-08T09:00:00Z', now).toISOString()).toBe('2026-02-08T09:00:00.000Z');
        for (const newest of ['2026-01-31T09:00:00Z', 'never', undefined]) expect(businessNow(newest, now).getTime()).toBe(now);
    });

    it('have their year if the server has another one', () => {
        const at = new Date(2026, 1, 1, 12).toISOString();
        expect(moment(at, 'en', new Date(2026, 5, 1).getTime())).not.toContain('2026');
        expect(moment(at, 'en', new Date(2027, 5, 1).getTime())).toContain('2026');
    });

    it('near now are told in words', () => {
        const now = Date.parse('2026-02-01T00:00:00Z');
        expect(distance('2026-02-04T00:00:00Z', 'en', now)).toBe('in 3 days');
        expect(distance('2026-01-31T23:00:00Z', 'de', now)).toBe('vor 1 Stunde');
    });
});
