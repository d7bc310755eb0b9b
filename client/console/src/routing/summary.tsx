import type { ReactNode } from 'react';
import { useSpoken } from '../texts/index.tsx';
import { Code } from '../ui/code.tsx';
import { Foreign } from '../ui/text.tsx';
import type { Accounts } from './accounts.ts';
import { readAlgorithm, type Target } from './algorithm.ts';
import { sentencesOf } from './sentences.ts';

/** A configuration in sentences. A shape that is newer than this console is shown as the server sent it. */
export function Summary({ algorithm, accounts }: { algorithm: { type: string; data?: unknown }; accounts: Accounts }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.routing;
    const read = readAlgorithm(algorithm);
    if (!read) {
        return (
            <>
                <p className="hint">{t.unreadable}</p>
                <Code label={t.title}>{JSON.stringify(algorithm.data)}</Code>
            </>
        );
    }
    const { rules, rest } = sentencesOf(read, { texts, locale, nameOf: accounts.nameOf });
    return (
        <div className="summary">
            {rules.length > 0 ? (
                <ol>
                    {rules.map((rule, index) => (
                        <li key={index}>
                            <strong>
                                <Foreign longest={80}>{rule.name}</Foreign>
                            </strong>
                            <p>{rule.text}</p>
                        </li>
                    ))}
                </ol>
            ) : null}
            <p>{rest}</p>
        </div>
    );
}

/** Accounts in their order. */
export function OrderedAccounts({ targets, accounts }: { targets: readonly Target[]; accounts: Accounts }): ReactNode {
    return (
        <ol className="ordered">
            {targets.map((target, index) => (
                <li key={index}>
                    <Foreign longest={60}>{accounts.nameOf(target)}</Foreign> <span className="small">{accounts.noteOf(target)}</span>
                </li>
            ))}
        </ol>
    );
}
