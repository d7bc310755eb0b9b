import { type ReactNode, useRef, useState } from 'react';
import { useNow } from '../api/use_now.ts';
import { money } from '../format/money.ts';
import { distance, fullMoment, moment } from '../format/time.ts';
import { useSpoken, useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';

/** The most characters of a foreign text in one place. The whole text is in the title. */
const LONGEST = 400;

/** A text that somebody else wrote. It can't change the direction of the text around it. */
export function Foreign({ children, longest = LONGEST }: { children: string | null | undefined; longest?: number }): ReactNode {
    const texts = useTexts();
    if (!children) return <span className="none">{texts.common.none}</span>;
    const isLong = children.length > longest;
    return (
        <bdi className="foreign" {...(isLong ? { title: children.slice(0, 4000) } : {})}>
            {isLong ? `${children.slice(0, longest)}…` : children}
        </bdi>
    );
}

/** An identifier in a fixed-width face, with a button that copies it. */
export function Id({ children }: { children: string | null | undefined }): ReactNode {
    const texts = useTexts();
    const text = useRef<HTMLElement>(null);
    const [done, setDone] = useState<'copied' | 'marked'>();
    if (!children) return <span className="none">{texts.common.none}</span>;
    const copy = async (): Promise<void> => {
        try {
            await navigator.clipboard.writeText(children);
            setDone('copied');
            setTimeout(() => setDone(undefined), 2000);
        } catch {
            // A page without TLS has no clipboard, and a browser may refuse it.
            if (text.current) window.getSelection()?.selectAllChildren(text.current);
            setDone('marked');
        }
    };
    return (
        <span className="id">
            <bdi ref={text} className="mono">
                {children}
            </bdi>
            <Button look="quiet" size="small" onPress={() => void copy()} label={`${texts.common.copy}: ${children}`}>
                <span aria-live="polite">{done ? texts.common[done] : texts.common.copy}</span>
            </Button>
        </span>
    );
}

/** An amount with its currency. */
export function Money({ amount, currency }: { amount: number | bigint | null | undefined; currency: string }): ReactNode {
    const { locale, texts } = useSpoken();
    if (amount === null || amount === undefined) return <span className="none">{texts.common.none}</span>;
    return <span className="money">{money(amount, currency, locale)}</span>;
}

/** Returns the amount of a text such as that of a dispute, or undefined if it is none. */
export function amountOf(text: string): bigint | undefined {
    return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined;
}

/** A moment in the person's zone; the title has seconds and zone. */
export function Moment({ children, isRelative = false }: { children: string | null | undefined; isRelative?: boolean }): ReactNode {
    const { locale, texts } = useSpoken();
    const now = useNow();
    if (!children) return <span className="none">{texts.common.none}</span>;
    return (
        <time className="moment" dateTime={children} title={fullMoment(children, locale)}>
            {isRelative ? distance(children, locale, now) : moment(children, locale, now)}
        </time>
    );
}

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'calm';

/** A state as a word with a colour and a mark, so that colour alone never tells it. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
    return (
        <span className={`badge ${tone}`}>
            <span className="mark" aria-hidden="true" />
            {children}
        </span>
    );
}
