import { type ReactNode, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { type Refusal, refusalOf } from '../api/refusal.ts';
import { useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';
import { ActionForm } from './form.tsx';

/** An action that runs once at a time. */
export interface Action {
    isPending: boolean;
    refusal: Refusal | undefined;
    run: () => void;
    reset: () => void;
}

/** Runs an action. A second press while it is pending does nothing. */
export function useAction(act: () => Promise<void>): Action {
    const [isPending, setPending] = useState(false);
    const [refusal, setRefusal] = useState<Refusal>();
    const isRunning = useRef(false);
    const run = async (): Promise<void> => {
        if (isRunning.current) return;
        isRunning.current = true;
        setPending(true);
        setRefusal(undefined);
        try {
            await act();
        } catch (error) {
            setRefusal(refusalOf(error));
        } finally {
            isRunning.current = false;
            setPending(false);
        }
    };
    return {
        isPending,
        refusal,
        run: () => void run(),
        reset: () => setRefusal(undefined),
    };
}

/** Returns whether a form was sent once, so that its faults show, and the check of a dialog: it takes whether the form is complete. */
export function useChecked(): [isChecked: boolean, checked: (isComplete: boolean) => () => boolean] {
    const [isChecked, setChecked] = useState(false);
    const checked = (isComplete: boolean) => (): boolean => {
        setChecked(true);
        return isComplete;
    };
    return [isChecked, checked];
}

export interface ActionDialogProps {
    title: string;
    /** The effect of the action, which is said before it can be done. */
    consequence?: ReactNode;
    submit: string;
    look?: 'primary' | 'danger';
    action: Action;
    /** Checks the form. The action runs if it returns true. */
    check?: () => boolean;
    onClose: () => void;
    children?: ReactNode;
    size?: 'roomy';
}

/** A dialog that says what an action does, and then does it. */
export function ActionDialog({ title, consequence, submit, look = 'primary', action, check, onClose, children, size }: ActionDialogProps): ReactNode {
    const texts = useTexts();
    return (
        <ModalOverlay className="overlay" isOpen isDismissable={!action.isPending} isKeyboardDismissDisabled={action.isPending} onOpenChange={(isOpen) => !isOpen && onClose()}>
            <Modal className={`modal ${size ?? ''}`}>
                <Dialog className="dialog">
                    <Heading slot="title">{title}</Heading>
                    <ActionForm action={action} check={check}>
                        {children}
                        {consequence ? <p className="consequence">{consequence}</p> : null}
                        <footer>
                            <Button onPress={onClose} isDisabled={action.isPending}>
                                {texts.common.keep}
                            </Button>
                            <Button type="submit" look={look} isPending={action.isPending}>
                                {action.isPending ? texts.common.working : submit}
                            </Button>
                        </footer>
                    </ActionForm>
                </Dialog>
            </Modal>
        </ModalOverlay>
    );
}
