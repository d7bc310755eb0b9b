import { Component, type ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';
import { Empty } from './states.tsx';

/** Catches the fault of a screen, so that the rest of the console stays usable. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
    override state = { hasFailed: false };

    static getDerivedStateFromError(): { hasFailed: boolean } {
        return { hasFailed: true };
    }

    override render(): ReactNode {
        return this.state.hasFailed ? <Crashed /> : this.props.children;
    }
}

function Crashed(): ReactNode {
    const texts = useTexts();
    return (
        <Empty title={texts.errors.crashTitle} action={<Button onPress={() => window.location.reload()}>{texts.errors.reload}</Button>}>
            {texts.errors.crash}
        </Empty>
    );
}
