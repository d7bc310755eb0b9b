import { useQueryClient } from '@tanstack/react-query';
import { type UserSession, userSessionsEnd, userSessionsEndOthers, userSessionsList } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useRead, useSession } from '../shell/session.tsx';
import { useTexts, wordOf } from '../texts/index.tsx';
import { ActionDialog, useAction } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useChange } from '../ui/change.ts';
import { useTell } from '../ui/notices.tsx';
import { Page } from '../ui/page.tsx';
import { ReadStatus, RefusalBox } from '../ui/states.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Badge, Foreign, Moment } from '../ui/text.tsx';

export function Screen(): ReactNode {
    const texts = useTexts();
    const t = texts.sessions;
    const [isEnding, setEnding] = useState(false);
    const list = useRead(['sessions'], (client, signal) => userSessionsList(client, { signal }));
    const columns: readonly Column<UserSession>[] = [
        {
            name: t.program,
            cell: (one) => (
                <>
                    <Foreign longest={60}>{one.user_agent ?? t.unknown}</Foreign> {one.is_current ? <Badge tone="good">{t.current}</Badge> : null}
                </>
            ),
        },
        { name: t.kind, cell: (one) => wordOf(t.kinds, one.kind) },
        { name: t.address, from: 'medium', cell: (one) => <Foreign longest={50}>{one.client_address}</Foreign> },
        { name: t.since, from: 'medium', cell: (one) => <Moment>{one.created_at}</Moment> },
        { name: t.used, cell: (one) => <Moment isRelative>{one.last_used_at ?? one.created_at}</Moment> },
        { name: t.end, cell: (one) => (one.is_current ? <span className="none">{texts.common.none}</span> : <End session={one} />) },
    ];
    const hasOthers = (list.data?.length ?? 0) > 1;
    return (
        <Page
            title={t.title}
            name={t.title}
            lead={t.lead}
            actions={
                hasOthers ? (
                    <Button look="danger" onPress={() => setEnding(true)}>
                        {t.endOthers}
                    </Button>
                ) : null
            }
        >
            <ReadStatus read={list} />
            {list.data ? <Table caption={t.caption} columns={columns} rows={list.data} keyOf={(one) => one.session_id} /> : null}
            {isEnding ? <EndOthers onClose={() => setEnding(false)} /> : null}
        </Page>
    );
}

function End({ session }: { session: UserSession }): ReactNode {
    const t = useTexts().sessions;
    const { client } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    const action = useAction(async () => {
        await userSessionsEnd(client, session.session_id);
        tell(t.ended);
        await store.invalidateQueries();
    });
    return (
        <>
            <Button size="small" isPending={action.isPending} onPress={action.run} label={`${t.end}: ${(session.user_agent ?? t.unknown).slice(0, 60)}`}>
                {t.end}
            </Button>
            {action.refusal ? <RefusalBox refusal={action.refusal} /> : null}
        </>
    );
}

function EndOthers({ onClose }: { onClose: () => void }): ReactNode {
    const t = useTexts().sessions;
    const { client } = useSession();
    const action = useChange(async () => {
        await userSessionsEndOthers(client);
        return t.othersEnded;
    }, onClose);
    return <ActionDialog title={t.endOthersTitle} consequence={t.endOthersConsequence} submit={t.endOthers} look="danger" action={action} onClose={onClose} />;
}
