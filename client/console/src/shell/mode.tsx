import { type ReactNode, useEffect } from 'react';
import type { ServerInfo } from '../api/session.ts';
import { useTexts } from '../texts/index.tsx';

/** The sign of test or live. It is on every screen, and colours the upper edge of the page. */
export function Mode({ info }: { info: ServerInfo | undefined }): ReactNode {
    const texts = useTexts();
    const mode = info === undefined ? 'unknown' : info.sandbox ? 'test' : 'live';
    useEffect(() => {
        document.documentElement.dataset['mode'] = mode;
    }, [mode]);
    const hint = mode === 'test' ? texts.mode.testHint : mode === 'live' ? texts.mode.liveHint : texts.mode.unknown;
    return (
        <span className={`mode ${mode}`} title={hint}>
            <span aria-hidden="true">{mode === 'unknown' ? '?' : texts.mode[mode]}</span>
            <span className="hidden">{hint}</span>
        </span>
    );
}
