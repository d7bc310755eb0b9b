// The shop's choices for the look. A value that is no colour or length is left out, so that no page can break the fields.
import type { Appearance } from '../types.ts';

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const LENGTH = /^(?:0|\d{1,2}(?:\.\d{1,3})?(?:px|rem|em))$/;

type Variable = keyof NonNullable<Appearance['variables']>;

const VARIABLES: Readonly<Record<Variable, readonly [name: string, shape: RegExp]>> = {
    colorPrimary: ['--primary', COLOUR],
    colorBackground: ['--background', COLOUR],
    colorText: ['--text', COLOUR],
    colorDanger: ['--danger', COLOUR],
    borderRadius: ['--radius', LENGTH],
    fontSizeBase: ['--font-size', LENGTH],
    spacingUnit: ['--space', LENGTH],
};

function channels(colour: string): number[] {
    const digits = colour.slice(1);
    const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
    return pairs.map((pair) => parseInt(pair, 16) / 255);
}

function luminance(colour: string): number {
    const [red = 0, green = 0, blue = 0] = channels(colour).map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns black or white, whichever is easier to read on the colour. (WCAG 2.2, 1.4.3) */
export function readableOn(colour: string): string {
    const light = luminance(colour);
    return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

/** Applies the look to the page. */
export function applyLook(appearance: Appearance | undefined, root: HTMLElement = document.documentElement): void {
    root.setAttribute('data-theme', appearance?.theme ?? 'auto');
    const taken = (variable: Variable): string | undefined => {
        const value = appearance?.variables?.[variable];
        const [, shape] = VARIABLES[variable];
        return value !== undefined && shape.test(value) ? value : undefined;
    };
    const set = (name: string, value: string | undefined) => {
        if (value === undefined) root.style.removeProperty(name);
        else root.style.setProperty(name, value);
    };
    for (const [variable, [name]] of Object.entries(VARIABLES)) set(name, taken(variable as Variable));
    const primary = taken('colorPrimary');
    set('--on-primary', primary === undefined ? undefined : readableOn(primary));
    // Quiet texts and lines follow a text colour that the shop chose.
    for (const name of ['--quiet', '--line']) set(name, taken('colorText'));
}
