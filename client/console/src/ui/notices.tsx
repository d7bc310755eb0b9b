import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';
import type { Tone } from './text.tsx';

interface Notice {
    id: number;
    tone: Tone;
    text: string;
}

const Context = createContext<(text: string, tone?: Tone) => void>(() => {});

/** Shows what became of actions. A notice stays until it is closed, so that nobody misses it; the oldest go first. */
export function NoticeProvider({ children }: { children: ReactNode }): ReactNode {
    const texts = useTexts();
    const [notices, setNotices] = useState<readonly Notice[]>([]);
    const tell = useCallback((text: string, tone: Tone = 'good') => {
        setNotices((former) => [...former.slice(-2), { id: (former.at(-1)?.id ?? 0) + 1, tone, text }]);
    }, []);
    return (
        <Context value={tell}>
            {children}
            <div className="notices" role="status">
                {notices.map((notice) => (
                    <div key={notice.id} className={`notice ${notice.tone}`}>
                        <bdi>{notice.text}</bdi>
                        <Button look="quiet" size="small" onPress={() => setNotices((former) => former.filter((one) => one !== notice))}>
                            {texts.common.close}
                        </Button>
                    </div>
                ))}
            </div>
        </Context>
    );
}

/** Returns the function that shows what became of an action. */
export function useTell(): (text: string, tone?: Tone) => void {
    return use(Context);
}
