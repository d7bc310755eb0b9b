import { type ReactNode, useEffect, useRef } from 'react';

export interface TabsProps<Name extends string> {
    label: string;
    names: readonly Name[];
    chosen: Name;
    textOf: (name: Name) => string;
    onChoose: (name: Name) => void;
    isCompact?: boolean;
}

/** Buttons of which one is pressed. On a phone they are one row that scrolls without a bar. */
export function Tabs<Name extends string>({ label, names, chosen, textOf, onChoose, isCompact = false }: TabsProps<Name>): ReactNode {
    const pressed = useRef<HTMLButtonElement>(null);
    // A link can open a list whose tab is beyond the edge of the row. New browsers answer with a promise, which no effect may return.
    useEffect(() => {
        pressed.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }, [chosen]);
    return (
        <div className={`tabs ${isCompact ? 'compact' : ''}`} role="group" aria-label={label}>
            {names.map((name) => (
                <button key={name} ref={name === chosen ? pressed : undefined} type="button" className="tab" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
                    {textOf(name)}
                </button>
            ))}
        </div>
    );
}
