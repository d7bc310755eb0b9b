import { render } from '@testing-library/react';
import axe from 'axe-core';
import { type ProviderAnswer, takeProviderAnswer } from '../src/api/session.ts';
import { App } from '../src/shell/app.tsx';

/** Opens the console at a path. */
export function open(path: string): void {
    window.history.replaceState(null, '', `/console${path}`);
    render(<App />);
}

/** Opens the console at the address to which the identity provider sends the browser, and returns the answer that the address had. */
export function comesBack(search: string): ProviderAnswer | undefined {
    window.history.replaceState(null, '', `/console/signed_in?${search}`);
    const answer = takeProviderAnswer();
    render(<App {...(answer ? { provider: answer } : {})} />);
    return answer;
}

/** Returns the rules of accessibility that a part of the page breaks. jsdom has no layout, so contrast can't be checked. */
export async function brokenRules(part: Element): Promise<string[]> {
    const { violations } = await axe.run(part, { rules: { 'color-contrast': { enabled: false } } });
    return violations.map(({ id }) => id);
}
