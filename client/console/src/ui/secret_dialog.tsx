import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import { Id } from './text.tsx';

export interface SecretDialogProps {
    secret: string;
    texts: { madeTitle: string; made: string; done: string };
    onClose: () => void;
}

/** The dialog that shows a new secret. It can't be closed by accident, because the secret isn't shown again. */
export function SecretDialog({ secret, texts, onClose }: SecretDialogProps): ReactNode {
    return (
        <ModalOverlay className="overlay" isOpen isKeyboardDismissDisabled>
            <Modal className="modal">
                <Dialog className="dialog">
                    <Heading slot="title">{texts.madeTitle}</Heading>
                    <p>{texts.made}</p>
                    <p className="secret">
                        <Id>{secret}</Id>
                    </p>
                    <footer>
                        <Button look="primary" onPress={onClose}>
                            {texts.done}
                        </Button>
                    </footer>
                </Dialog>
            </Modal>
        </ModalOverlay>
    );
}
