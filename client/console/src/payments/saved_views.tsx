import { type SavedView, savedViewsCreate, savedViewsDelete, savedViewsList } from 'multirail';
import { type ReactNode, useState } from 'react';
import { isolated } from '../format/foreign.ts';
import { useMay, useRead, useSession } from '../shell/session.tsx';
import { useTexts } from '../texts/index.tsx';
import { ActionDialog, useChecked } from '../ui/action.tsx';
import { Button } from '../ui/button.tsx';
import { useChange } from '../ui/change.ts';
import { Choice, Field } from '../ui/controls.tsx';
import { type Filters, queryOf } from '../ui/filters.tsx';
import { ReadStatus } from '../ui/states.tsx';

/** The views of a list that the user has saved: their filters under a name. They can choose, save and delete one. */
export function SavedViews({ filters }: { filters: Filters }): ReactNode {
    const t = useTexts().savedViews;
    const maySave = useMay('saved_views_create');
    const mayDelete = useMay('saved_views_delete');
    const [isSaving, setSaving] = useState(false);
    const [deleting, setDeleting] = useState<SavedView>();
    const read = useRead(['saved_views'], (client, signal) => savedViewsList(client, { signal }));
    const views = read.data ?? [];
    const shown = views.find((one) => queryOf(one.query) === filters.query);
    const choose = (id: string): void => {
        const chosen = views.find((one) => one.saved_view_id === id);
        if (chosen) filters.show(chosen.query);
        else filters.clear();
    };
    const canSave = maySave && read.data !== undefined && filters.query !== '' && !shown;
    return (
        <>
            {read.isError ? <ReadStatus read={read} /> : null}
            {views.length > 0 || canSave ? (
                <div className="filters open">
                    {views.length > 0 ? (
                        <Choice
                            label={t.label}
                            value={shown?.saved_view_id ?? ''}
                            onChange={choose}
                            options={[['', t.none], ...views.map((one) => [one.saved_view_id, one.name] as const)]}
                        />
                    ) : null}
                    {canSave ? <Button onPress={() => setSaving(true)}>{t.save}</Button> : null}
                    {shown && mayDelete ? <Button onPress={() => setDeleting(shown)}>{t.remove}</Button> : null}
                </div>
            ) : null}
            {isSaving ? <SaveDialog query={filters.query} onClose={() => setSaving(false)} /> : null}
            {deleting ? <DeleteDialog view={deleting} onClose={() => setDeleting(undefined)} /> : null}
        </>
    );
}

function SaveDialog({ query, onClose }: { query: string; onClose: () => void }): ReactNode {
    const t = useTexts().savedViews;
    const { client } = useSession();
    const [name, setName] = useState('');
    const [isChecked, checked] = useChecked();
    const action = useChange(
        async () => {
            const saved = await savedViewsCreate(client, { name: name.trim(), query });
            return t.saved(saved.name);
        },
        onClose,
    );
    return (
        <ActionDialog title={t.saveTitle} submit={t.saveSubmit} action={action} check={checked(name.trim() !== '')} onClose={onClose} consequence={t.saveConsequence}>
            <Field label={t.name} name="name" autoFocus isRequired maxLength={60} value={name} onChange={setName} error={isChecked && name.trim() === '' ? t.needName : undefined} />
        </ActionDialog>
    );
}

function DeleteDialog({ view, onClose }: { view: SavedView; onClose: () => void }): ReactNode {
    const t = useTexts().savedViews;
    const { client } = useSession();
    const action = useChange(async () => {
        await savedViewsDelete(client, view.saved_view_id);
        return t.removed(view.name);
    }, onClose);
    return <ActionDialog title={t.removeTitle} submit={t.removeSubmit} look="danger" action={action} onClose={onClose} consequence={t.removeConsequence(isolated(view.name))} />;
}
