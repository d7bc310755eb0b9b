import { createRoot } from 'react-dom/client';
import { takeLinkToken } from './api/session.ts';
import { App } from './shell/app.tsx';
import './style.css';

// The token leaves the address before anything else runs.
const linkToken = takeLinkToken();
const root = document.getElementById('console');
if (root) createRoot(root).render(<App {...(linkToken ? { linkToken } : {})} />);
