import { useEffect, useState } from 'react';
import { type Language, LANGUAGES, preferredLanguage } from '../texts/index.tsx';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Reads a preference. Browsers may forbid storage; nothing depends on it. */
function read(name: string): string | null {
    try {
        return window.localStorage.getItem(`multirail.${name}`);
    } catch {
        return null;
    }
}

function write(name: string, value: string): void {
    try {
        window.localStorage.setItem(`multirail.${name}`, value);
    } catch {
        // The choice then lasts as long as the page.
    }
}

function oneOf<T extends string>(values: readonly T[], value: string | null): T | undefined {
    return values.find((one) => one === value);
}

/** Returns the look that the person chose, and applies it to the page. */
export function useTheme(): [Theme, (theme: Theme) => void] {
    const [theme, setTheme] = useState<Theme>(() => oneOf(THEMES, read('theme')) ?? 'system');
    useEffect(() => {
        document.documentElement.dataset['theme'] = theme;
    }, [theme]);
    return [
        theme,
        (chosen) => {
            write('theme', chosen);
            setTheme(chosen);
        },
    ];
}

/** Returns the language that the person chose, or the browser's. */
export function useLanguage(): [Language, (language: Language) => void] {
    const [language, setLanguage] = useState<Language>(() => oneOf(LANGUAGES, read('language')) ?? preferredLanguage(navigator.languages));
    return [
        language,
        (chosen) => {
            write('language', chosen);
            setLanguage(chosen);
        },
    ];
}
