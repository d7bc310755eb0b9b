import { type ReactNode, useEffect, useRef } from 'react';

export interface TabsProps<Word extends string> {
    label: string;
    value: Word;
    options: readonly (readonly [Word, string])[];
    onChange: (word: Word) => void;
    isCompact?: boolean;
    /** True if the chosen tab scrolls into view, because a link can open a list whose tab is beyond the edge of the row. */
    isScrolled?: boolean;
}

/** A choice of one from a few words that are all shown: buttons of which one is pressed. On a phone they are one row that scrolls without a bar. */
export function Tabs<Word extends string>({ label, value, options, onChange, isCompact = false, isScrolled = false }: TabsProps<Word>): ReactNode {
    const pressed = useRef<HTMLButtonElement>(null);
    // New browsers answer with a promise, which no effect may return.
    useEffect(() => {
        if (isScrolled) pressed.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [isScrolled, value]);
    return (
        <div className={`tabs ${isCompact ? 'compact' : ''}`} role="group" aria-label={label}>
            {options.map(([word, text]) => (
                <button key={word} ref={word === value ? pressed : undefined} type="button" className="tab" aria-pressed={word === value} onClick={() => onChange(word)}>
                    {text}
                </button>
            ))}
        </div>
    );
}
