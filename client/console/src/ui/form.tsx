import { type ReactNode, useEffect, useRef } from 'react';
import type { Action } from './action.tsx';
import { Members } from './members.tsx';
import { RefusalBox } from './states.tsx';

export interface ActionFormProps {
    action: Pick<Action, 'refusal' | 'run'>;
    /** Checks the form. The action runs if it returns true. */
    check?: (() => boolean) | undefined;
    className?: string;
    children: ReactNode;
}

/** A form that runs an action. It shows a refusal at the field that it names, and any other above the form. */
export function ActionForm({ action, check, className, children }: ActionFormProps): ReactNode {
    const { refusal } = action;
    const box = useRef<HTMLDivElement>(null);
    const form = useRef<HTMLFormElement>(null);
    useEffect(() => {
        // A long form was sent at its end, where neither place may be in view.
        if (refusal) (box.current ?? form.current?.querySelector('[aria-invalid="true"], .field-error'))?.scrollIntoView({ block: 'center' });
    }, [refusal]);
    return (
        <Members refusal={refusal}>
            {(isAtField) => (
                <>
                    {refusal && !isAtField ? (
                        <div ref={box} className="refusal">
                            <RefusalBox refusal={refusal} />
                        </div>
                    ) : null}
                    <form
                        ref={form}
                        className={className}
                        noValidate
                        onSubmit={(event) => {
                            event.preventDefault();
                            // React passes a dialog's event on to the form that rendered the dialog. That form must not be sent.
                            event.stopPropagation();
                            if (check?.() ?? true) action.run();
                        }}
                    >
                        {children}
                    </form>
                </>
            )}
        </Members>
    );
}
