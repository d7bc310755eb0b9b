import { render } from '@testing-library/react';
import axe from 'axe-core';
import { App } from '../src/shell/app.tsx';

/** Opens the console at a path. */
export function open(path: string): void {
    window.history.replaceState(null, '', `/console${path}`);
    render(<App />);
}

/** Returns the rules of accessibility that a part of the page breaks. jsdom has no layout, so contrast can't be checked. */
export async function brokenRules(part: Element): Promise<string[]> {
    const { violations } = await axe.run(part, { rules: { 'color-contrast': { enabled: false } } });
    return violations.map(({ id }) => id);
}
