import { createContext, type ReactNode, use, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { memberOf, type Refusal } from '../api/refusal.ts';

/** The refusal of a form, and the way in which its fields make themselves known. */
interface Place {
    /** The member at whose field the refusal is shown. */
    at: string | undefined;
    message: string | undefined;
    /** Notes that a member has a field. The returned function ends that. */
    add: (member: string) => () => void;
}

const Context = createContext<Place>({ at: undefined, message: undefined, add: () => () => {} });

/**
 * Shows a refusal at the field of the member that it names. Only fields that are on the screen count. `isAtField` is false
 * for a refusal that names none of them, and the caller shows it elsewhere.
 */
export function Members({ refusal, children }: { refusal: Refusal | undefined; children: (isAtField: boolean) => ReactNode }): ReactNode {
    const [members, setMembers] = useState<readonly string[]>([]);
    const add = useCallback((member: string) => {
        setMembers((former) => [...former, member]);
        return () => setMembers((former) => former.toSpliced(former.indexOf(member), 1));
    }, []);
    const at = refusal && memberOf(refusal, members);
    const message = refusal?.message;
    const place = useMemo(() => ({ at, message, add }), [at, message, add]);
    return <Context value={place}>{children(at !== undefined)}</Context>;
}

/** Makes a field known to its form, and returns the refusal that names its member. */
export function useMemberError(member: string | undefined): string | undefined {
    const { at, message, add } = use(Context);
    useLayoutEffect(() => (member === undefined ? undefined : add(member)), [member, add]);
    return member !== undefined && at === member ? message : undefined;
}

/** The refusal of a member that has several controls. */
export function MemberError({ member }: { member: string }): ReactNode {
    const error = useMemberError(member);
    return error ? (
        <p className="field-error" role="alert">
            {error}
        </p>
    ) : null;
}
