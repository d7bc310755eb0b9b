import type { ReactNode } from 'react';
import { Field, type FieldProps } from '../ui/controls.tsx';

/** The field of the amount that an action moves. It takes the focus, because most actions need nothing else. */
export function AmountField(props: Pick<FieldProps, 'label' | 'name' | 'value' | 'onChange' | 'hint' | 'error'>): ReactNode {
    return <Field inputMode="decimal" autoFocus isRequired maxLength={14} {...props} />;
}
