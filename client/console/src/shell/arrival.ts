import type { Client } from 'multirail';
import { type Refusal, refusalOf } from '../api/refusal.ts';
import { beginSession, type Proof, type ProviderAnswer } from '../api/session.ts';

/** The proofs with which the page was opened: the token of a printed link, or the identity provider's answer. */
export interface Arrival {
    linkToken?: string | undefined;
    provider?: ProviderAnswer | undefined;
}

/** The reason why the identity provider signed nobody in: the server's refusal, or the provider's own word. */
export type ProviderRefusal = Refusal | { error: string };

/** The result of a proof with which the page was opened. */
export type Arrived =
    | { as: 'nobody' }
    | { as: 'user'; screen: string | undefined }
    | { as: 'half'; token: string; screen: string | undefined }
    | { as: 'refused'; refusal: 'link' | ProviderRefusal };

/** Begins a session with the proof, if there is one. Each counts once, so it isn't repeated. */
export async function arrive(client: Client, { linkToken, provider }: Arrival): Promise<Arrived> {
    if (linkToken !== undefined) return prove(client, { link: { token: linkToken } }, () => 'link');
    if (provider === undefined) return { as: 'nobody' };
    if ('error' in provider) return { as: 'refused', refusal: provider };
    return prove(client, { oidc: provider.proof }, refusalOf);
}

async function prove(client: Client, proof: Proof, refused: (error: unknown) => 'link' | ProviderRefusal): Promise<Arrived> {
    try {
        const { second_step_token: token, screen } = await beginSession(client, proof);
        return token === null ? { as: 'user', screen } : { as: 'half', token, screen };
    } catch (error) {
        return { as: 'refused', refusal: refused(error) };
    }
}
