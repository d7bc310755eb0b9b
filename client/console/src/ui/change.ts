import { useQueryClient } from '@tanstack/react-query';
import { type Action, useAction } from './action.tsx';
import { useTell } from './notices.tsx';

/** Runs the change of a dialog, shows the sentence that it returns, closes the dialog, and reads the screens again. */
export function useChange(change: () => Promise<string>, onClose: () => void): Action {
    const tell = useTell();
    const store = useQueryClient();
    return useAction(async () => {
        tell(await change());
        onClose();
        await store.invalidateQueries();
    });
}
