import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type AddressDetails, ApiError, type Customer, customersDelete, customersRetrieve, NotFoundError, paymentsFilter } from 'multirail';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { address } from '../format/address.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { ActionDialog, useAction, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { useTell } from '../ui/notices.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading, Outdated, ReadStatus } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Foreign, Id, Moment } from '../ui/text.tsx';
import { paymentColumns } from './payments.tsx';

export function Screen({ id }: { id: string }): ReactNode {
    const texts = useTexts();
    const read = useRead(['customer', id], (client, signal) => customersRetrieve(client, id, { signal }));
    if (read.data) return <Detail customer={read.data} read={read} />;
    const isRedacted = read.error instanceof ApiError && read.error.code === 'IR_11';
    return (
        <Page title={texts.common.customer} name={texts.common.customer} back={['/customers', texts.nav.customers]}>
            {read.isPending ? <Loading /> : null}
            {read.isError && isRedacted ? <Empty title={texts.customers.redacted}>{texts.customer.forgotten}</Empty> : null}
            {read.error instanceof NotFoundError ? <Empty title={texts.errors.missingTitle}>{texts.errors.missing}</Empty> : null}
            {read.isError && !isRedacted && !(read.error instanceof NotFoundError) ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
        </Page>
    );
}

/** Returns the lines of an address, without those that are empty. */
function linesOf(address: AddressDetails): string[] {
    const { first_name, last_name, line1, line2, line3, zip, city, state, country } = address;
    const lines = [[first_name, last_name], [line1], [line2], [line3], [zip, city], [state], [country]];
    return lines.map((parts) => parts.filter(Boolean).join(' ')).filter((line) => line !== '');
}

function Detail({ customer, read }: { customer: Customer; read: UseQueryResult<Customer> }): ReactNode {
    const texts = useTexts();
    const t = texts.customer;
    const mayForget = useMay('customers_delete');
    const [isForgetting, setForgetting] = useState(false);
    const id = customer.customer_id;
    const payments = useRead(['payments', 'of', id], (client, signal) => paymentsFilter(client, { customer_id: id, limit: 10 }, { signal }));
    const name = customer.name ?? id;
    const phone = [customer.phone_country_code, customer.phone].filter(Boolean).join(' ');
    return (
        <Page
            name={name.slice(0, 60)}
            title={<Foreign longest={80}>{name}</Foreign>}
            lead={<Id>{id}</Id>}
            back={['/customers', texts.nav.customers]}
            actions={
                mayForget ? (
                    <Button look="danger" onPress={() => setForgetting(true)}>
                        {t.forget}
                    </Button>
                ) : null
            }
        >
            <Outdated read={read} />
            <div className="split">
                <Section title={t.payments} actions={payments.data && payments.data.total_count > 0 ? <Link href={address`/payments?customer_id=${id}`}>{t.allPayments}</Link> : null}>
                    <ReadStatus read={payments} />
                    {payments.data?.data.length === 0 ? <p className="hint">{t.noPayments}</p> : null}
                    {payments.data && payments.data.data.length > 0 ? (
                        <Table caption={t.payments} columns={paymentColumns(texts).filter((column) => column.from !== 'wide')} rows={payments.data.data} keyOf={(one) => one.payment_id} />
                    ) : null}
                </Section>
                <div className="sidebar-facts">
                    <Section title={texts.common.details} actions={<Link href={address`/subscriptions?customer_id=${id}`}>{t.allSubscriptions}</Link>}>
                        <Facts
                            pairs={[
                                [texts.customers.email, customer.email ? <Foreign key="email">{customer.email}</Foreign> : null],
                                [texts.customers.phone, phone ? <Foreign key="phone">{phone}</Foreign> : null],
                                [texts.common.description, customer.description ? <Foreign key="description">{customer.description}</Foreign> : null],
                                [
                                    t.address,
                                    customer.address
                                        ? linesOf(customer.address).map((line, index) => (
                                              <div key={index}>
                                                  <Foreign>{line}</Foreign>
                                              </div>
                                          ))
                                        : null,
                                ],
                                [t.tax, customer.tax_registration_id ? <Foreign key="tax">{customer.tax_registration_id}</Foreign> : null],
                                [texts.common.created, <Moment key="created">{customer.created_at}</Moment>],
                            ]}
                        />
                    </Section>
                </div>
            </div>
            {isForgetting ? <ForgetDialog id={id} onClose={() => setForgetting(false)} /> : null}
        </Page>
    );
}

function ForgetDialog({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
    const texts = useTexts();
    const t = texts.customer;
    const { client } = useSession();
    const tell = useTell();
    const store = useQueryClient();
    const [, navigate] = useLocation();
    const [typed, setTyped] = useState('');
    const [isChecked, checked] = useChecked();
    const action = useAction(async () => {
        await customersDelete(client, id);
        tell(t.forgotten);
        navigate('/customers');
        await store.invalidateQueries();
    });
    return (
        <ActionDialog
            title={t.forgetTitle}
            consequence={t.forgetConsequence}
            submit={t.forgetSubmit}
            look="danger"
            action={action}
            check={checked(typed.trim() === id)}
            onClose={onClose}
        >
            <Field label={t.forgetConfirm(id)} name="confirm" autoFocus isRequired value={typed} onChange={setTyped} error={isChecked && typed.trim() !== id ? t.forgetMismatch : undefined} />
        </ActionDialog>
    );
}
