import { afterEach } from 'vitest';
import { clock } from '../src/frame/clock.ts';

const { pause } = clock;

// A part of a browser that jsdom lacks, and that axe looks for.
HTMLCanvasElement.prototype.getContext = () => null;

afterEach(() => {
    document.body.replaceChildren();
    document.head.replaceChildren();
    clock.pause = pause;
});
