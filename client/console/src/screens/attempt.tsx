import type { PaymentAttempt, PaymentRouting } from 'multirail';
import type { ReactNode } from 'react';
import { useSpoken, wordOf } from '../texts/index.tsx';
import { Badge, Foreign } from '../ui/text.tsx';
import { attemptTone } from '../ui/tones.ts';

/** One attempt of a payment: its account, why it was chosen, and what became of it. */
export function Attempt({ attempt }: { attempt: PaymentAttempt }): ReactNode {
    const { texts } = useSpoken();
    const { connector, status, routing, error_code: code, error_message: message } = attempt;
    return (
        <div className="happening">
            <p>
                {connector ? texts.payment.attempt.at(connector) : texts.payment.attempt.nowhere} <Badge tone={attemptTone(status)}>{wordOf(texts.words.attempt, status)}</Badge>
            </p>
            {routing ? <Reasons routing={routing} /> : null}
            {code ? (
                <p className="small">
                    <Foreign>{code}</Foreign>: <Foreign>{message}</Foreign>
                </p>
            ) : null}
        </div>
    );
}

/** Why the account was chosen, and why others were not. */
function Reasons({ routing }: { routing: PaymentRouting }): ReactNode {
    const { texts } = useSpoken();
    const { trial } = texts.routing;
    const { attempt: t } = texts.payment;
    const { rule, candidates, routed_by: source } = routing;
    const passed = candidates.filter((one) => one.dropped_because || one.moved_because);
    return (
        <>
            <p className="small">
                {wordOf(t.routedBy, source)}
                {rule ? (
                    <>
                        {' '}
                        {t.rule} <Foreign longest={64}>{rule}</Foreign>
                    </>
                ) : null}
            </p>
            {passed.length > 0 ? (
                <ul className="small dropped">
                    {passed.map(({ connector, merchant_connector_id: id, dropped_because: dropped }) => (
                        <li key={id}>
                            {connector} <bdi className="mono">{id}</bdi>: {dropped ? wordOf(trial.reasons, dropped) : trial.moved}
                        </li>
                    ))}
                </ul>
            ) : null}
        </>
    );
}
