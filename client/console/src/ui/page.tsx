import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../texts/index.tsx';

// The first screen of a visit leaves the focus where the browser put it.
let isFirst = true;

export interface PageProps {
    title: ReactNode;
    /** The title as plain text, for the window. */
    name: string;
    lead?: ReactNode;
    back?: readonly [to: string, name: string];
    actions?: ReactNode;
    children: ReactNode;
}

/** A screen with its heading. After a navigation the heading has the focus, so that screen readers say where one is. */
export function Page({ title, name, lead, back, actions, children }: PageProps): ReactNode {
    const texts = useTexts();
    const heading = useRef<HTMLHeadingElement>(null);
    useEffect(() => {
        if (!isFirst) heading.current?.focus({ preventScroll: true });
        isFirst = false;
        window.scrollTo(0, 0);
    }, []);
    useEffect(() => {
        document.title = `${name} · ${texts.product}`;
    }, [name, texts]);
    return (
        <>
            <header className="page-head">
                <div className="page-title">
                    {back ? (
                        <Link href={back[0]} className="back">
                            <span aria-hidden="true">←</span> {back[1]}
                        </Link>
                    ) : null}
                    <h1 ref={heading} tabIndex={-1}>
                        {title}
                    </h1>
                    {lead ? <p className="lead">{lead}</p> : null}
                </div>
                {actions ? <div className="actions">{actions}</div> : null}
            </header>
            {children}
        </>
    );
}

/** A part of a screen with its own heading. */
export function Section({ title, hint, actions, children }: { title: string; hint?: string | undefined; actions?: ReactNode; children: ReactNode }): ReactNode {
    return (
        <section className="section">
            <header className="section-head">
                <div>
                    <h2>{title}</h2>
                    {hint ? <p className="hint">{hint}</p> : null}
                </div>
                {actions}
            </header>
            {children}
        </section>
    );
}

/** Names with their values. Pairs without a value are left out. */
export function Facts({ pairs }: { pairs: readonly (readonly [string, ReactNode])[] }): ReactNode {
    return (
        <dl className="facts">
            {pairs
                .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
                .map(([name, value]) => (
                    <div key={name}>
                        <dt>{name}</dt>
                        <dd>{value}</dd>
                    </div>
                ))}
        </dl>
    );
}
