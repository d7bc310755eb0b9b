import { afterEach } from 'vitest';
import { clock } from '../src/frame/clock.ts';

const { pause } = clock;

afterEach(() => {
    document.body.replaceChildren();
    document.head.replaceChildren();
    clock.pause = pause;
});
