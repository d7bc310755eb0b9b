import type { ConnectorAccountListItem } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Badge } from '../ui/text.tsx';

/** The state of an account as a badge. */
export function State({ account }: { account: Pick<ConnectorAccountListItem, 'status' | 'disabled'> }): ReactNode {
    const t = useTexts().home;
    if (account.status === 'inactive') return <Badge tone="warn">{t.inactive}</Badge>;
    return account.disabled ? <Badge tone="calm">{t.disabled}</Badge> : <Badge tone="good">{t.enabled}</Badge>;
}

/** The system of the processor that an account uses. */
export function System({ account }: { account: Pick<ConnectorAccountListItem, 'test_mode'> }): ReactNode {
    const t = useTexts().processors;
    return account.test_mode ? <Badge tone="warn">{t.test}</Badge> : <Badge tone="info">{t.live}</Badge>;
}
