import { type ReactNode, useState } from 'react';
import { useNow } from '../api/use_now.ts';
import { startOfDate } from '../format/time.ts';
import { useTexts } from '../texts/index.tsx';
import { Choice, Field } from '../ui/controls.tsx';

/** The time of an action, as its dialog asks for it. */
export interface When<Option extends string> {
    option: Option;
    choose: (option: Option) => void;
    day: string;
    setDay: (day: string) => void;
    /** The chosen date; undefined while there is none in the future, or another option is chosen. */
    date: string | undefined;
    isComplete: boolean;
}

/** Keeps the time of an action. The first option is the one to begin with. */
export function useWhen<Option extends string>(first: Option): When<Option> {
    const now = useNow();
    const [option, choose] = useState<Option>(first);
    const [day, setDay] = useState('');
    const start = startOfDate(day);
    const date = option === 'specific_date' && start !== undefined && Date.parse(start) > now ? start : undefined;
    return { option, choose, day, setDay, date, isComplete: option !== 'specific_date' || date !== undefined };
}

export interface WhenFieldsProps<Option extends string> {
    when: When<Option>;
    options: readonly Option[];
    /** The member of the request with the date. */
    member: string;
    isChecked: boolean;
}

/** The fields of the time of an action. */
export function WhenFields<Option extends string>({ when, options, member, isChecked }: WhenFieldsProps<Option>): ReactNode {
    const t = useTexts().subscriptionActions;
    const isMissing = !when.isComplete && (isChecked || when.day !== '');
    return (
        <>
            <Choice label={t.when} value={when.option} onChange={(word) => when.choose(word as Option)} options={options.map((word) => [word, t.whens[word] ?? word])} />
            {when.option === 'specific_date' ? <Field label={t.date} name={member} type="date" isRequired value={when.day} onChange={when.setDay} error={isMissing ? t.needDate : undefined} /> : null}
        </>
    );
}
