import type { ConnectorSetting } from 'multirail';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/index.tsx';
import { Check, Field } from '../ui/controls.tsx';
import { MemberError } from '../ui/members.tsx';

/** The values of settings as typed, by their names. */
export type SettingValues = Readonly<Record<string, string | boolean>>;

/** Returns whether an account has to have a setting. */
export type Needs = (setting: ConnectorSetting) => boolean;

/** Returns the settings that an account with credentials has to have. */
export const needsFor = (isTest: boolean): Needs => ({ needed }) => needed === 'always' || (needed === 'outside_test_mode' && !isTest);

/** Returns the settings as the account's metadata, or undefined if one is missing. */
export function settingsOf(settings: readonly ConnectorSetting[], values: SettingValues, needs: Needs): Record<string, unknown> | undefined {
    const given: Record<string, unknown> = {};
    for (const setting of settings) {
        const value = values[setting.name];
        const text = typeof value === 'string' ? value.trim() : '';
        if (value === true) given[setting.name] = true;
        else if (text) given[setting.name] = text;
        else if (needs(setting)) return undefined;
    }
    return given;
}

export interface SettingsProps {
    settings: readonly ConnectorSetting[];
    values: SettingValues;
    onChange: (values: SettingValues) => void;
    needs: Needs;
    isChecked: boolean;
}

/** The settings that a connector reads besides the credentials. A refusal names the setting. */
export function Settings({ settings, values, onChange, needs, isChecked }: SettingsProps): ReactNode {
    const t = useTexts().processors;
    if (settings.length === 0) return null;
    return (
        <fieldset className="group">
            <legend>{t.settings}</legend>
            {settings.map((setting) => {
                const { name, kind, form } = setting;
                const value = values[name];
                const change = (next: string | boolean): void => onChange({ ...values, [name]: next });
                if (kind === 'boolean') return <Check key={name} label={name} hint={form} value={value === true} onChange={change} />;
                const text = typeof value === 'string' ? value : '';
                const must = needs(setting);
                const missing = isChecked && must && text.trim() === '' ? t.needSecret : undefined;
                return <Field key={name} label={name} name={name} isRequired={must} maxLength={4096} value={text} onChange={change} hint={form} error={missing} />;
            })}
            <MemberError member="metadata" />
        </fieldset>
    );
}
