import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { clock } from '../api/clock.ts';
import { type Refusal, refusalOf } from '../api/refusal.ts';
import { type Texts, useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';
import { Foreign, Id, Moment } from './text.tsx';

/** The sign that an answer is awaited. */
export function Loading(): ReactNode {
    const texts = useTexts();
    return (
        <div className="state" role="status">
            <span className="spinner" aria-hidden="true" />
            {texts.common.loading}
        </div>
    );
}

/** A list without entries, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }): ReactNode {
    return (
        <div className="state">
            <h2>{title}</h2>
            <p>{children}</p>
            {action}
        </div>
    );
}

/** Returns the title and the advice for a refusal. */
export function adviceOf(refusal: Refusal, texts: Texts): { title: string; advice: string } {
    const { errors } = texts;
    if (refusal.isOutcomeUnknown) return { title: errors.unknownTitle, advice: errors.unknown };
    switch (refusal.kind) {
        case 'ended':
            return { title: errors.endedTitle, advice: texts.signIn.ended };
        case 'role':
            return { title: errors.roleTitle, advice: errors.role };
        case 'missing':
            return { title: errors.missingTitle, advice: errors.missing };
        case 'busy':
            return { title: errors.busyTitle, advice: errors.busy };
        case 'slow':
            return { title: errors.slowTitle, advice: errors.slow };
        case 'invalid':
            return { title: errors.invalidTitle, advice: '' };
        case 'processor':
            return { title: errors.processorTitle, advice: '' };
        case 'offline':
            return { title: errors.offlineTitle, advice: errors.offline };
        case 'aborted':
        case 'failed':
            return { title: errors.failedTitle, advice: errors.failed };
    }
}

/** A refused or failed call inside of a screen or a form. */
export function RefusalBox({ refusal }: { refusal: Refusal }): ReactNode {
    const texts = useTexts();
    const { title, advice } = adviceOf(refusal, texts);
    return (
        <div className="alert bad" role="alert">
            <strong>{title}</strong>
            {refusal.message ? (
                <p>
                    <Foreign>{refusal.message}</Foreign>
                </p>
            ) : null}
            {advice ? <p>{advice}</p> : null}
            {refusal.requestId ? (
                <p className="small">
                    {texts.errors.requestId}: <Id>{refusal.requestId}</Id>
                </p>
            ) : null}
        </div>
    );
}

/** A read that failed, with the way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }): ReactNode {
    const texts = useTexts();
    return (
        <div className="state">
            <RefusalBox refusal={refusalOf(error)} />
            {retry ? <Button onPress={retry}>{texts.common.retry}</Button> : null}
        </div>
    );
}

/** The note that what a screen shows could not be read again, so that nobody takes an old state for the present one. */
export function Outdated({ read }: { read: Pick<UseQueryResult, 'isRefetchError' | 'isFetching' | 'error' | 'refetch' | 'dataUpdatedAt'> }): ReactNode {
    const texts = useTexts();
    if (!read.isRefetchError) return null;
    return (
        <div className="alert warn" role="alert">
            <strong>{texts.errors.outdated(adviceOf(refusalOf(read.error), texts).title)}</strong>
            <p>
                {texts.errors.lastRead} <Moment>{new Date(read.dataUpdatedAt + clock.difference()).toISOString()}</Moment>
            </p>
            <Button size="small" isPending={read.isFetching} onPress={() => void read.refetch()}>
                {texts.common.retry}
            </Button>
        </div>
    );
}

/** The state of a read: that its answer is awaited, or that it failed. */
export function ReadStatus({ read }: { read: Pick<UseQueryResult, 'isPending' | 'isError' | 'error' | 'refetch'> }): ReactNode {
    if (read.isPending) return <Loading />;
    return read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null;
}
