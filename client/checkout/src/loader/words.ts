// The few texts that stand on the shop's page itself.
import { primaryLanguage } from '../language.ts';

interface Words {
    /** The name of the frame, which screen readers say. */
    title: string;
    pay: string;
    unreachable: string;
}

const WORDS: Readonly<Record<string, Words>> = {
    de: {
        title: 'Sicheres Bezahlformular',
        pay: 'Bezahlen',
        unreachable: 'Das Bezahlformular konnte nicht geladen werden. Bitte laden Sie die Seite neu.',
    },
    en: {
        title: 'Secure payment form',
        pay: 'Pay',
        unreachable: 'The payment form could not be loaded. Please load the page once more.',
    },
};

/** Returns the texts in the language of a tag, or of the browser; else in English. */
export function wordsIn(locale: string | undefined): Words {
    return WORDS[primaryLanguage(locale)] ?? (WORDS['en'] as Words);
}
