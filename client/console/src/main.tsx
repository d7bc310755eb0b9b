import { createRoot } from 'react-dom/client';
import { takeLinkToken, takeProviderAnswer } from './api/session.ts';
import { App } from './shell/app.tsx';
import './style.css';

// Tokens leave the address before anything else runs.
const linkToken = takeLinkToken();
const provider = takeProviderAnswer();
const root = document.getElementById('console');
if (root) createRoot(root).render(<App {...(linkToken ? { linkToken } : {})} {...(provider ? { provider } : {})} />);
