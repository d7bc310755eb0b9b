import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export type { Texts } from './en.ts';

/** The languages of the console. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const ALL: Readonly<Record<Language, Texts>> = { en, de };

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

const Context = createContext<Spoken>({ texts: en, language: 'en', locale: 'en' });

/** Gives its children the texts of a language, and names the language to assistive technology. */
export function TextsProvider({ language, children }: { language: Language; children: ReactNode }): ReactNode {
    useEffect(() => {
        document.documentElement.lang = language;
    }, [language]);
    const locale = navigator.languages.find((one) => one.toLowerCase().startsWith(language)) ?? language;
    return <Context value={{ texts: ALL[language], language, locale }}>{children}</Context>;
}

/** Returns the texts of the person's language. */
export function useTexts(): Texts {
    return useContext(Context).texts;
}

/** Returns the language and the locale of dates and numbers. */
export function useSpoken(): Spoken {
    return useContext(Context);
}

/** Returns the text of a word of the contract, or the word itself in a readable form if it is newer than this console. */
export function wordOf(words: Readonly<Record<string, string>>, word: string): string {
    return Object.hasOwn(words, word) ? (words[word] ?? word) : word.replaceAll('_', ' ');
}
