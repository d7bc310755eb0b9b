/** Returns a moment in the person's zone: date and minutes, with the year if it isn't this one. */
export function moment(text: string, locale: string, now: number): string {
    const at = new Date(text);
    if (Number.isNaN(at.getTime())) return text;
    const year = at.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: 'numeric' } as const);
    return new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', ...year }).format(at);
}

/** Returns a moment with seconds and the name of the zone. */
export function fullMoment(text: string, locale: string): string {
    const at = new Date(text);
    if (Number.isNaN(at.getTime())) return text;
    return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(at);
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
];

/** Returns the distance of a moment from now in words, such as `in 3 days`. */
export function distance(text: string, locale: string, now: number): string {
    const seconds = Math.round((new Date(text).getTime() - now) / 1000);
    const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    for (const [unit, size] of STEPS) {
        if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit);
    }
    return words.format(Math.trunc(seconds), 'second');
}

/** Returns the start of the day in the person's zone, a number of days ago. */
export function startOfDay(daysAgo: number, now: Date): string {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString();
}

/**
 * Returns the time from which periods count back. Until it is known how far the clock of a sandbox is ahead, the newest
 * object's time is the latest time that is known.
 */
export function businessNow(newest: string | null | undefined, now: number): Date {
    const at = Date.parse(newest ?? '');
    return new Date(at > now ? at : now);
}

/** Returns the start of a day that a date field holds, such as `2026-02-01`, in the person's zone. */
export function startOfDate(date: string): string | undefined {
    return dayOf(date, 0);
}

/** Returns the last millisecond of a day that a date field holds. */
export function endOfDate(date: string): string | undefined {
    const next = dayOf(date, 1);
    return next && new Date(new Date(next).getTime() - 1).toISOString();
}

/** Returns the time between two days, both of them included. Either can be open. */
export function rangeOfDates(from: string, until: string): { start_time: string; end_time?: string } | undefined {
    const start = startOfDate(from);
    const end = endOfDate(until);
    return start || end ? { start_time: start ?? '1970-01-01T00:00:00.000Z', ...(end ? { end_time: end } : {}) } : undefined;
}

function dayOf(date: string, plus: number): string | undefined {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
    if (!match) return undefined;
    const at = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + plus);
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Returns the name of the person's zone. */
export function zone(): string {
    return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
