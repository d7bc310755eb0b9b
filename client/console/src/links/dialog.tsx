import type { PaymentLink } from 'multirail';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTexts } from '../texts/index.tsx';
import { Button } from '../ui/button.tsx';
import { Id } from '../ui/text.tsx';
import { QrCode } from '../ui/qr.tsx';

export interface LinkDialogProps {
    link: PaymentLink;
    /** The amount that the payer is asked for, with its currency. */
    amount: string;
    onClose: () => void;
}

/** The dialog with a link's address, to be copied or scanned. */
export function LinkDialog({ link, amount, onClose }: LinkDialogProps): ReactNode {
    const texts = useTexts();
    const t = texts.links;
    return (
        <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
            <Modal className="modal">
                <Dialog className="dialog">
                    <Heading slot="title">{t.dialogTitle(amount)}</Heading>
                    <p className="consequence">{t.warning}</p>
                    <QrCode label={t.code(amount)}>{link.link}</QrCode>
                    <p className="secret">
                        <Id>{link.link}</Id>
                    </p>
                    <footer>
                        <Button look="primary" onPress={onClose}>
                            {texts.common.close}
                        </Button>
                    </footer>
                </Dialog>
            </Modal>
        </ModalOverlay>
    );
}
