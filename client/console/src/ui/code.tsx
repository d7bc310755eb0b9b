import type { ReactNode } from 'react';

/** The most characters of a text that are laid out as code. */
const LONGEST = 40_000;

/** Returns JSON with line breaks, or the text itself if it is none. */
function laidOut(text: string): string {
    try {
        return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
        return text;
    }
}

/** A text for programs, such as a body. It can be scrolled by keyboard. */
export function Code({ label, children }: { label: string; children: string }): ReactNode {
    return (
        <pre className="code" role="region" aria-label={label} tabIndex={0} dir="ltr">
            <code>{laidOut(children).slice(0, LONGEST)}</code>
        </pre>
    );
}
