import { type ReactNode, useMemo } from 'react';
import { encode } from 'uqr';

/** The light modules around a code, which the standard asks for. */
const QUIET = 4;

/** A QR code as a drawing: its width in modules, and a path over its dark ones. */
export interface Drawing {
    size: number;
    path: string;
}

/** Returns the QR code of a text. It can be read with 15 % of it covered. */
export function drawingOf(text: string): Drawing {
    const { size, data } = encode(text, { ecc: 'M', border: QUIET });
    return { size, path: data.flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)).join('') };
}

/** Returns the starts and lengths of a row's dark parts. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
    const runs: [number, number][] = [];
    row.forEach((isDark, x) => {
        if (!isDark) return;
        const last = runs.at(-1);
        if (last && last[0] + last[1] === x) last[1] += 1;
        else runs.push([x, 1]);
    });
    return runs;
}

/** A QR code in the document. It is dark on light in both looks, because some readers know no other. */
export function QrCode({ label, children }: { label: string; children: string }): ReactNode {
    const { size, path } = useMemo(() => drawingOf(children), [children]);
    return (
        <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
            <path className="qr-light" d={`M0 0h${size}v${size}H0z`} />
            <path className="qr-dark" d={path} />
        </svg>
    );
}
