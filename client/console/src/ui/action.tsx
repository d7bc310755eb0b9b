import { type ReactNode, useRef, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { memberOf, type Refusal, refusalOf } from '../api/refusal.ts';
import { useTexts } from '../texts/index.tsx';
import { Button } from './controls.tsx';
import { RefusalBox } from './states.tsx';

/** An action that runs once at a time. */
export interface Action {
    isPending: boolean;
    refusal: Refusal | undefined;
    /** Returns the refusal's sentence for a member of the form, if it names that member. */
    errorOf: (member: string) => string | undefined;
    run: () => void;
    reset: () => void;
}

/** Runs an action. A second press while it is pending does nothing. */
export function useAction(act: () => Promise<void>, members: readonly string[] = []): Action {
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
    const member = refusal && memberOf(refusal, members);
    return {
        isPending,
        refusal,
        errorOf: (name) => (member === name ? refusal?.message : undefined),
        run: () => void run(),
        reset: () => setRefusal(undefined),
    };
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
    /** The members that the form shows a refusal at. Other refusals are shown below the form. */
    members?: readonly string[];
    size?: 'roomy';
}

/** A dialog that says what an action does, and then does it. */
export function ActionDialog({ title, consequence, submit, look = 'primary', action, check, onClose, children, members = [], size }: ActionDialogProps): ReactNode {
    const texts = useTexts();
    const { refusal } = action;
    const isAtMember = refusal !== undefined && memberOf(refusal, members) !== undefined;
    return (
        <ModalOverlay className="overlay" isOpen isDismissable={!action.isPending} isKeyboardDismissDisabled={action.isPending} onOpenChange={(isOpen) => !isOpen && onClose()}>
            <Modal className={`modal ${size ?? ''}`}>
                <Dialog className="dialog">
                    <Heading slot="title">{title}</Heading>
                    <form
                        noValidate
                        onSubmit={(event) => {
                            event.preventDefault();
                            if (check?.() ?? true) action.run();
                        }}
                    >
                        {children}
                        {consequence ? <p className="consequence">{consequence}</p> : null}
                        {refusal && !isAtMember ? <RefusalBox refusal={refusal} /> : null}
                        <footer>
                            <Button onPress={onClose} isDisabled={action.isPending}>
                                {texts.common.keep}
                            </Button>
                            <Button type="submit" look={look} isPending={action.isPending}>
                                {action.isPending ? texts.common.working : submit}
                            </Button>
                        </footer>
                    </form>
                </Dialog>
            </Modal>
        </ModalOverlay>
    );
}
