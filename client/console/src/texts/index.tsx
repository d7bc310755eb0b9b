import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Texts } from './en.ts';

export type { Texts } from './en.ts';

/** The languages of the console. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language is a file of its own, so that nobody loads the texts of another one. */
const LOAD: Readonly<Record<Language, () => Promise<Texts>>> = {
    en: () => import('./en.ts').then(({ en }) => en),
    de: () => import('./de.ts').then(({ de }) => de),
};

/** Returns the first language of a browser's list that the console speaks. */
export function preferredLanguage(languages: readonly string[]): Language {
    for (const wanted of languages) {
        const found = LANGUAGES.find((language) => wanted.toLowerCase().startsWith(language));
        if (found) return found;
    }
    return 'en';
}

interface Spoken {
    texts: Texts;
    language: Language;
    /** The language with the person's region, for dates and numbers. */
    locale: string;
}

const Context = createContext<Spoken | undefined>(undefined);

/** Gives its children the texts of a language, and names the language to assistive technology. The former texts stay until the new ones are loaded. */
export function TextsProvider({ language, children }: { language: Language; children: ReactNode }): ReactNode {
    const [loaded, setLoaded] = useState<{ language: Language; texts: Texts }>();
    useEffect(() => {
        let isWanted = true;
        LOAD[language]().then(
            (texts) => {
                if (isWanted) setLoaded({ language, texts });
            },
            // Without a connection there are no texts to say so in. The next choice of a language tries again.
            () => undefined,
        );
        return () => {
            isWanted = false;
        };
    }, [language]);
    useEffect(() => {
        if (loaded) document.documentElement.lang = loaded.language;
    }, [loaded]);
    if (!loaded) return null;
    const locale = navigator.languages.find((one) => one.toLowerCase().startsWith(loaded.language)) ?? loaded.language;
    return <Context value={{ texts: loaded.texts, language: loaded.language, locale }}>{children}</Context>;
}

/** Returns the texts of the person's language. */
export function useTexts(): Texts {
    return useSpoken().texts;
}

/** Returns the language and the locale of dates and numbers. */
export function useSpoken(): Spoken {
    const spoken = useContext(Context);
    if (!spoken) throw new TypeError('a part of the console was shown without texts');
    return spoken;
}

/** Returns the text of a word of the contract, or the word itself in a readable form if it is newer than this console. */
export function wordOf(words: Readonly<Record<string, string>>, word: string): string {
    return Object.hasOwn(words, word) ? (words[word] ?? word) : word.replaceAll('_', ' ');
}
