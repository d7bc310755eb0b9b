import type { Payment } from 'multirail';
import { type ReactNode, useState } from 'react';
import { useNow } from '../api/use_now.ts';
import { money } from '../format/money.ts';
import { useSpoken } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Badge, Id, Moment } from '../ui/text.tsx';
import { linkTone } from '../ui/tones.ts';
import { LinkDialog } from './dialog.tsx';
import { isUsable, linkState } from './state.ts';

/** The page of a payment, where its payer pays. Payments without one have no such section. */
export function LinkSection({ payment }: { payment: Payment }): ReactNode {
    const { texts, locale } = useSpoken();
    const t = texts.links;
    const [isShown, setShown] = useState(false);
    const { payment_link: link, expires_on: end } = payment;
    const state = linkState(payment, new Date(useNow()));
    if (!link || !state) return null;
    return (
        <Section
            title={t.one}
            actions={
                // Roles that may not see the payer's secrets get no address.
                isUsable(state) && link.link ? (
                    <Button size="small" onPress={() => setShown(true)}>
                        {t.showCode}
                    </Button>
                ) : null
            }
        >
            <Facts
                pairs={[
                    [texts.common.status, <Badge key="state" tone={linkTone(state)}>{t.states[state]}</Badge>],
                    [t.ends, end ? <Moment key="ends">{end}</Moment> : null],
                    [t.address, <Id key="address">{link.link}</Id>],
                ]}
            />
            {isShown ? <LinkDialog link={link} amount={money(payment.net_amount, payment.currency, locale)} onClose={() => setShown(false)} /> : null}
        </Section>
    );
}
