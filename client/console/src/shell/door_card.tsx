import type { ReactNode } from 'react';
import type { Refusal } from '../api/refusal.ts';
import type { ServerInfo } from '../api/session.ts';
import { useTexts } from '../texts/index.tsx';
import { adviceOf } from '../ui/states.tsx';
import { Mode } from './mode.tsx';

export interface DoorCardProps {
    info: ServerInfo | undefined;
    title: string;
    notice: string;
    isNoticeBad: boolean;
    children: ReactNode;
}

/** The page around a form for signing in. */
export function DoorCard({ info, title, notice, isNoticeBad, children }: DoorCardProps): ReactNode {
    const texts = useTexts();
    return (
        <main className="door">
            <div className="door-card">
                <div className="door-brand">
                    <strong>{texts.product}</strong>
                    <Mode info={info} />
                </div>
                <h1>{title}</h1>
                {notice ? (
                    <p className={`alert ${isNoticeBad ? 'warn' : 'info'}`} role="status">
                        {notice}
                    </p>
                ) : null}
                {children}
            </div>
        </main>
    );
}

/** Says why a proof was refused. The form has its own sentence for the codes in `known`. */
export function ProofRefused({ refusal, known }: { refusal: Refusal; known: Readonly<Record<string, string>> }): ReactNode {
    const texts = useTexts();
    const { title, advice } = adviceOf(refusal, texts);
    return (
        <div className="alert bad" role="alert">
            {known[refusal.code] ?? (
                <>
                    <strong>{title}</strong>
                    <p>{refusal.message || advice}</p>
                </>
            )}
        </div>
    );
}
