import { type ReactNode, useId } from 'react';
import {
    Button as AriaButton,
    FieldError,
    Input,
    Label,
    Text,
    TextArea,
    TextField as AriaTextField,
} from 'react-aria-components';

export interface ButtonProps {
    children: ReactNode;
    look?: 'primary' | 'plain' | 'danger' | 'quiet';
    size?: 'small';
    type?: 'button' | 'submit';
    isPending?: boolean;
    isDisabled?: boolean;
    label?: string;
    onPress?: () => void;
    autoFocus?: boolean;
}

/** A button. While its action is pending it stays in place, and presses do nothing. */
export function Button({ children, look = 'plain', size, label, isPending = false, onPress, ...rest }: ButtonProps): ReactNode {
    return (
        <AriaButton
            className={`button ${look} ${size ?? ''} ${isPending ? 'pending' : ''}`}
            {...(label ? { 'aria-label': label } : {})}
            {...(isPending ? { 'aria-disabled': true } : onPress ? { onPress } : {})}
            {...rest}
        >
            {children}
        </AriaButton>
    );
}

export interface FieldProps {
    label: string;
    name: string;
    value: string;
    onChange: (value: string) => void;
    hint?: string | undefined;
    error?: string | undefined;
    type?: 'text' | 'email' | 'password' | 'search' | 'date';
    inputMode?: 'decimal' | 'numeric' | 'text' | 'email';
    autoComplete?: string;
    autoFocus?: boolean;
    isLong?: boolean;
    isRequired?: boolean;
    maxLength?: number;
}

/** A text field with its label, its hint and the refusal of its value. */
export function Field({ hint, error, isLong = false, label, autoFocus = false, maxLength, inputMode, autoComplete, type = 'text', ...rest }: FieldProps): ReactNode {
    return (
        <AriaTextField className="field" isInvalid={error !== undefined} validationBehavior="aria" type={type} {...rest}>
            <Label>{label}</Label>
            {isLong ? (
                <TextArea className="input" rows={4} maxLength={maxLength} />
            ) : (
                <Input className="input" autoFocus={autoFocus} maxLength={maxLength} inputMode={inputMode} autoComplete={autoComplete ?? 'off'} dir="auto" />
            )}
            {hint ? (
                <Text slot="description" className="hint">
                    {hint}
                </Text>
            ) : null}
            <FieldError className="field-error">{error}</FieldError>
        </AriaTextField>
    );
}

export interface ChoiceProps {
    label: string;
    value: string;
    onChange: (value: string) => void;
    options: readonly (readonly [string, string])[];
    isLabelHidden?: boolean;
}

/** A choice of one from a short list: the browser's own control, which every phone and screen reader knows. */
export function Choice({ label, value, onChange, options, isLabelHidden = false }: ChoiceProps): ReactNode {
    const id = useId();
    return (
        <div className="field">
            <label htmlFor={id} className={isLabelHidden ? 'hidden' : ''}>
                {label}
            </label>
            <select id={id} className="input select" value={value} onChange={(event) => onChange(event.target.value)}>
                {options.map(([word, text]) => (
                    <option key={word} value={word}>
                        {text}
                    </option>
                ))}
            </select>
        </div>
    );
}

/** A yes or no. */
export function Check({ label, hint, value, onChange }: { label: string; hint?: string; value: boolean; onChange: (value: boolean) => void }): ReactNode {
    const id = useId();
    return (
        <div className="check">
            <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} {...(hint ? { 'aria-describedby': `${id}-hint` } : {})} />
            <div>
                <label htmlFor={id}>{label}</label>
                {hint ? (
                    <p id={`${id}-hint`} className="hint">
                        {hint}
                    </p>
                ) : null}
            </div>
        </div>
    );
}
