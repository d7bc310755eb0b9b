// Time, so that tests need not wait for it.

export const clock = {
    now: (): number => Date.now(),
    pause: (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds)),
    /** Waits until somebody sees the page. */
    seen: (): Promise<void> =>
        new Promise((done) => {
            if (document.hidden) document.addEventListener('visibilitychange', () => done(), { once: true });
            else done();
        }),
};
