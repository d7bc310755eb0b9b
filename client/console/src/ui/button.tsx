import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';

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
