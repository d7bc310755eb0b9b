import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

// A screen is loaded when it is first opened, which takes long on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

if (typeof window !== 'undefined') {
    // Parts of a browser that jsdom lacks.
    window.scrollTo = () => {};
    // New browsers answer with a promise, which no effect may return.
    Element.prototype.scrollIntoView = () => Promise.resolve() as unknown as undefined;
    vi.stubGlobal('CSS', { escape: (text: string) => text });
}

beforeEach(() => {
    if (typeof window === 'undefined') return;
    window.history.replaceState(null, '', '/console/');
});

afterEach(() => {
    if (typeof window === 'undefined') return;
    cleanup();
    window.localStorage.clear();
});
