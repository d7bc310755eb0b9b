import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useTexts } from '../texts/index.tsx';
import { Button } from './button.tsx';
import { Choice } from './controls.tsx';

/** The filters of a list. They live in the address, so that a link or a reload shows the same list. */
export interface Filters {
    get: (name: string) => string;
    /** Changes filters. Unless the page is changed itself, it is the first one again. */
    set: (changes: Readonly<Record<string, string>>) => void;
    clear: () => void;
    /** The filters and the order as the query of an address, without the page. Equal filters have equal queries. */
    query: string;
    /** Replaces all filters by those of a query. */
    show: (query: string) => void;
    /** True if any filter but the page and the order is set. */
    isAny: boolean;
    /** The page by its number of entries before it, where the server counts them. */
    offset: number;
    /** The page by the last entry before it, where the server pages by entries. */
    before: string;
    isFirstPage: boolean;
}

/** The filters that are the page of a list. No other filter means the same page. */
const PAGES = ['offset', 'before'];

/** Returns a query without the page, and with its filters in the order of their names. */
export function queryOf(search: string): string {
    const params = new URLSearchParams(search);
    for (const name of PAGES) params.delete(name);
    params.sort();
    return params.toString();
}

export function useFilters(): Filters {
    const search = useSearch();
    const [path, navigate] = useLocation();
    const params = new URLSearchParams(search);
    const go = (next: URLSearchParams): void => navigate(next.size ? `${path}?${next.toString()}` : path);
    const set: Filters['set'] = (changes) => {
        const next = new URLSearchParams(search);
        for (const name of PAGES) next.delete(name);
        for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
        }
        go(next);
    };
    const given = Number(params.get('offset') ?? '0');
    const offset = Number.isSafeInteger(given) && given > 0 && given < 2 ** 31 ? given : 0;
    const before = params.get('before') ?? '';
    return {
        get: (name) => params.get(name) ?? '',
        set,
        clear: () => go(new URLSearchParams()),
        query: queryOf(search),
        show: (query) => go(new URLSearchParams(queryOf(query))),
        isAny: [...params.keys()].some((name) => ![...PAGES, 'on', 'dir'].includes(name)),
        offset,
        before,
        isFirstPage: offset === 0 && before === '',
    };
}

export interface SearchProps<Kind extends string> {
    label: string;
    kinds: Readonly<Record<Kind, string>>;
    filters: Filters;
}

/** A search for an exact value of one kind. Each kind is a filter of the same name. */
export function Search<Kind extends string>({ label, kinds, filters }: SearchProps<Kind>): ReactNode {
    const texts = useTexts();
    const names = Object.keys(kinds) as Kind[];
    const active = names.find((name) => filters.get(name)) ?? names[0]!;
    const given = filters.get(active);
    const [kind, setKind] = useState<Kind>(active);
    const [text, setText] = useState(given);
    useEffect(() => {
        setKind(active);
        setText(given);
    }, [active, given]);
    const submit = (): void => {
        filters.set({ ...Object.fromEntries(names.map((name) => [name, ''])), [kind]: text.trim() });
    };
    return (
        <form
            className="search"
            role="search"
            onSubmit={(event) => {
                event.preventDefault();
                submit();
            }}
        >
            {names.length > 1 ? <Choice label={label} isLabelHidden value={kind} onChange={(value) => setKind(value as Kind)} options={names.map((name) => [name, kinds[name]])} /> : null}
            <input className="input" type="search" aria-label={kinds[kind]} value={text} maxLength={255} autoComplete="off" spellCheck={false} dir="auto" onChange={(event) => setText(event.target.value)} />
            <Button type="submit">{texts.common.search}</Button>
        </form>
    );
}

/** A range of days. */
export function Days({ filters }: { filters: Filters }): ReactNode {
    const texts = useTexts();
    return (
        <>
            {(['from', 'until'] as const).map((name) => (
                <label key={name} className="field day">
                    <span>{texts.common[name]}</span>
                    <input className="input" type="date" value={filters.get(name)} onChange={(event) => filters.set({ [name]: event.target.value })} />
                </label>
            ))}
        </>
    );
}

/** A group of filters with the button that clears them. On a phone all but the search are behind a button. */
export function FilterBar({ filters, children }: { filters: Filters; children: ReactNode }): ReactNode {
    const texts = useTexts();
    const [isOpen, setOpen] = useState(false);
    return (
        <div className={`filters ${isOpen ? 'open' : ''}`} role="group" aria-label={texts.common.filters}>
            {children}
            <button type="button" className="button quiet filters-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {texts.common.filters}
            </button>
            {filters.isAny ? (
                <Button look="quiet" onPress={filters.clear}>
                    {texts.common.clear}
                </Button>
            ) : null}
        </div>
    );
}
