import { type ReactNode, useId } from 'react';
import { FieldError, Input, Label, Text, TextArea, TextField as AriaTextField } from 'react-aria-components';
import { useTexts } from '../texts/index.tsx';
import { useMemberError } from './members.tsx';

export interface FieldProps {
    label: string;
    /** The member of the request. A refusal that names it is shown here. */
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
    isReadOnly?: boolean;
    maxLength?: number;
}

/** A text field with its label, its hint and the refusal of its value. */
export function Field({ hint, error: wrong, isLong = false, label, autoFocus = false, maxLength, inputMode, autoComplete, type = 'text', ...rest }: FieldProps): ReactNode {
    const error = useMemberError(rest.name) ?? wrong;
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

/** Returns the attribute by which a control refers to its hint and the refusal of its value. */
function describedBy(id: string, hint?: string, error?: string): { 'aria-describedby'?: string } {
    const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean);
    return ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {};
}

/** The hint of a control and the refusal of its value. */
function Notes({ id, hint, error }: { id: string; hint?: string | undefined; error?: string | undefined }): ReactNode {
    return (
        <>
            {hint ? (
                <p id={`${id}-hint`} className="hint">
                    {hint}
                </p>
            ) : null}
            {error ? (
                <p id={`${id}-error`} className="field-error">
                    {error}
                </p>
            ) : null}
        </>
    );
}

export interface ChoiceProps {
    label: string;
    /** The member of the request. A refusal that names it is shown here. */
    member?: string;
    value: string;
    onChange: (value: string) => void;
    options: readonly (readonly [string, string])[];
    isLabelHidden?: boolean;
    hint?: string | undefined;
    error?: string | undefined;
    isDisabled?: boolean;
}

/** A choice of one from a short list: the browser's own control, which every phone and screen reader knows. */
export function Choice({ label, member, value, onChange, options, isLabelHidden = false, hint, error: wrong, isDisabled = false }: ChoiceProps): ReactNode {
    const id = useId();
    const error = useMemberError(member) ?? wrong;
    return (
        <div className="field">
            <label htmlFor={id} className={isLabelHidden ? 'hidden' : ''}>
                {label}
            </label>
            <select
                id={id}
                className="input select"
                value={value}
                disabled={isDisabled}
                onChange={(event) => onChange(event.target.value)}
                {...(error ? { 'aria-invalid': true } : {})}
                {...describedBy(id, hint, error)}
            >
                {options.map(([word, text]) => (
                    <option key={word} value={word}>
                        {text}
                    </option>
                ))}
            </select>
            <Notes id={id} hint={hint} error={error} />
        </div>
    );
}

export interface WordsProps {
    label: string;
    /** The member of the request. A refusal that names it is shown here. */
    member?: string;
    words: readonly string[];
    onChange: (words: readonly string[]) => void;
    options: readonly (readonly [string, string])[];
    hint?: string | undefined;
    error?: string | undefined;
}

/**
 * A choice of several from a list: one control for each word, and an empty one for the next. Arrow keys change the word of a
 * control, so that nothing is added by looking through the list.
 */
export function Words({ label, member, words, onChange, options, hint, error: wrong }: WordsProps): ReactNode {
    const texts = useTexts();
    const id = useId();
    const error = useMemberError(member) ?? wrong;
    const change = (index: number, word: string): void => {
        const next = [...words];
        next[index] = word;
        onChange(next.filter(Boolean));
    };
    return (
        <div className="field" role="group" aria-labelledby={`${id}-label`} {...describedBy(id, hint, error)}>
            <span id={`${id}-label`}>{label}</span>
            <div className="words">
                {[...words, ''].map((word, index) => (
                    <select
                        key={index}
                        className={`input select ${word ? '' : 'next'}`}
                        aria-label={`${label} ${index + 1}`}
                        value={word}
                        onChange={(event) => change(index, event.target.value)}
                        {...(error ? { 'aria-invalid': true } : {})}
                    >
                        <option value="">{word ? texts.common.remove : texts.common.add}</option>
                        {word && !options.some(([one]) => one === word) ? <option value={word}>{word}</option> : null}
                        {options
                            .filter(([one]) => one === word || !words.includes(one))
                            .map(([one, text]) => (
                                <option key={one} value={one}>
                                    {text}
                                </option>
                            ))}
                    </select>
                ))}
            </div>
            <Notes id={id} hint={hint} error={error} />
        </div>
    );
}

/** A yes or no. */
export function Check({ label, hint, value, onChange }: { label: string; hint?: string; value: boolean; onChange: (value: boolean) => void }): ReactNode {
    const id = useId();
    return (
        <div className="check">
            <input id={id} type="checkbox" checked={value} onChange={(event) => onChange(event.target.checked)} {...describedBy(id, hint)} />
            <div>
                <label htmlFor={id}>{label}</label>
                <Notes id={id} hint={hint} />
            </div>
        </div>
    );
}
