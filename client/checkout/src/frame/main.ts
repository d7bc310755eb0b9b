// The frame: it greets the page that holds it, and then does what that page asks.
import './style.css';
import { Api } from './api.ts';
import { App } from './app.ts';
import { awaitPage } from './connect.ts';

const key = new URLSearchParams(window.location.search).get('key');
const root = document.getElementById('checkout');
if (key && root) awaitPage((connect, port) => void new App(root, new Api(key), connect, port).start());
