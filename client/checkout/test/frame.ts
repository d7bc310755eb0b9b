// A frame for tests: the app at work, with the other end of its port, as the loader has it.
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { Api } from '../src/frame/api.ts';
import { App } from '../src/frame/app.ts';
import { clock } from '../src/frame/clock.ts';
import type { Answer, Connect, Notice } from '../src/protocol.ts';
import { PROFILE, SECRET } from './server.ts';

export const user = userEvent.setup({ document });

export function meta(name: string, content: string): void {
    const element = document.createElement('meta');
    element.setAttribute('name', name);
    element.setAttribute('content', content);
    document.head.append(element);
}

export class Frame {
    readonly root = document.createElement('main');
    readonly notices: Notice[] = [];
    readonly #answers = new Map<number, (answer: Answer) => void>();
    #last = 0;
    readonly port: MessagePort;

    constructor(port: MessagePort) {
        this.port = port;
        port.onmessage = ({ data }) => {
            const answer = data as Answer;
            if (typeof answer.id === 'number') this.#answers.get(answer.id)?.(answer);
            else this.notices.push(data as Notice);
        };
    }

    ask(request: object): Promise<Answer> {
        this.#last += 1;
        const id = this.#last;
        return new Promise((done) => {
            this.#answers.set(id, done);
            this.port.postMessage({ id, ...request });
        });
    }

    confirm(more: object = {}): Promise<Answer> {
        return this.ask({ type: 'confirm', clientSecret: SECRET, redirect: 'if_required', ...more });
    }

    of<Type extends Notice['type']>(type: Type): Extract<Notice, { type: Type }>[] {
        return this.notices.filter((notice): notice is Extract<Notice, { type: Type }> => notice.type === type);
    }

    get text(): string {
        return this.root.textContent ?? '';
    }

    /** Returns the input with this label, among those that are shown. */
    input(label: string | RegExp): HTMLInputElement {
        const labels = [...this.root.querySelectorAll('label')].filter((one) => !one.closest('[hidden]'));
        const found = labels.find((one) => (typeof label === 'string' ? one.textContent === label : label.test(one.textContent ?? '')));
        const input = found && this.root.querySelector(`#${found.htmlFor}`);
        if (!input) throw new Error(`no field ${String(label)} in: ${this.text}`);
        return input as HTMLInputElement;
    }

    button(label: string): HTMLButtonElement {
        const found = [...this.root.querySelectorAll('button')].find((one) => one.textContent === label && !one.hidden);
        if (!found) throw new Error(`no button ${label} in: ${this.text}`);
        return found;
    }

    /** The text beside a field that says what is wrong. */
    fault(label: string | RegExp): string {
        const ids = (this.input(label).getAttribute('aria-describedby') ?? '').split(' ');
        return ids.map((id) => this.root.querySelector(`#${id}.error`)?.textContent ?? '').join('');
    }

    async types(values: Record<string, string>): Promise<void> {
        for (const [label, value] of Object.entries(values)) {
            const input = this.input(label);
            if (input instanceof HTMLSelectElement) await user.selectOptions(input, value);
            else await user.type(input, value);
        }
    }

    typesCard(changes: Record<string, string> = {}): Promise<void> {
        return this.types({ 'Card number': '4242424242424242', 'Expiry (MM/YY)': '1035', 'Security code': '123', ...changes });
    }
}

/** Opens a frame on the payment, with waits that take no time. */
export async function open(connect: Partial<Connect> = {}, mode = 'test'): Promise<Frame> {
    clock.pause = () => new Promise((done) => setTimeout(done, 1));
    document.head.replaceChildren();
    meta('multirail-profile', PROFILE);
    meta('multirail-mode', mode);
    const { port1, port2 } = new MessageChannel();
    const frame = new Frame(port1);
    document.body.append(frame.root);
    const app = new App(frame.root, new Api('pk_snd_1', 'https://pay.example/'), { surface: 'payment', clientSecret: SECRET, locale: 'en', ...connect }, port2);
    await app.start();
    await vi.waitFor(() => {
        if (frame.of('ready').length === 0) throw new Error('not ready yet');
    });
    return frame;
}
