import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Button, Field } from '../ui/controls.tsx';

/** A setting of an account as typed. */
export interface Setting {
    id: number;
    name: string;
    value: string;
}

/** Returns the settings as the account's metadata, or undefined if one has no name or a name is there twice. */
export function settingsOf(settings: readonly Setting[]): Record<string, unknown> | undefined {
    const names = settings.map(({ name }) => name.trim());
    if (names.includes('') || new Set(names).size < names.length) return undefined;
    return Object.fromEntries(settings.map(({ name, value }) => [name.trim(), valueOf(value.trim())]));
}

/** Returns an object or a list for its JSON, and any other value as the text that was typed. */
function valueOf(text: string): unknown {
    if (!/^[[{]/.test(text)) return text;
    try {
        return JSON.parse(text) as unknown;
    } catch {
        return text;
    }
}

/** The settings that a connector needs besides its credentials. A refusal names the missing one. */
export function Settings({ settings, onChange, error }: { settings: readonly Setting[]; onChange: (settings: readonly Setting[]) => void; error: string | undefined }): ReactNode {
    const texts = useTexts();
    const t = texts.processors;
    const set = (changed: Setting, change: Partial<Setting>): void => onChange(settings.map((one) => (one === changed ? { ...one, ...change } : one)));
    return (
        <fieldset className="group">
            <legend>{t.settings}</legend>
            <p className="hint">{t.settingsHint}</p>
            {settings.map((one, index) => (
                <div key={one.id} className="row" role="group" aria-label={t.setting(index + 1)}>
                    <Field label={t.settingName} name={`setting-${one.id}`} maxLength={255} value={one.name} onChange={(name) => set(one, { name })} />
                    <Field label={t.settingValue} name={`value-${one.id}`} maxLength={4096} value={one.value} onChange={(value) => set(one, { value })} />
                    <Button look="quiet" onPress={() => onChange(settings.filter((other) => other !== one))} label={`${texts.common.remove}: ${t.setting(index + 1)}`}>
                        {texts.common.remove}
                    </Button>
                </div>
            ))}
            {error ? (
                <p className="field-error" role="alert">
                    {error}
                </p>
            ) : null}
            {settings.length < 50 ? (
                <div>
                    <Button size="small" onPress={() => onChange([...settings, { id: (settings.at(-1)?.id ?? 0) + 1, name: '', value: '' }])}>
                        {t.addSetting}
                    </Button>
                </div>
            ) : null}
        </fieldset>
    );
}
