// Each designed state, light and dark, as tools for people with disabilities read it.
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { open } from './frame.ts';
import { SECRET, Server, offers, payment, refused } from './server.ts';

const waits = (next_action: object) => payment({ status: 'requires_customer_action', next_action } as never);
const states: Readonly<Record<string, (server: Server) => void>> = {
    'the form of a card': () => {},
    'the choice': (server) => {
        server.offered = offers('credit', 'ideal', 'klarna', 'sepa', 'bacs', 'pix', 'boleto', 'sepa_bank_transfer', 'upi_collect');
        server.saved = [{ payment_token: 't', payment_method: 'card', requires_cvv: true, card: { last4_digits: '4242', expiry_month: '10', expiry_year: '2035', card_network: 'Visa' } }];
    },
    'a decline': (server) => {
        server.retrieved = [{ body: payment({ status: 'failed', manual_retry_allowed: true }) }];
    },
    'a payment that failed for good': (server) => {
        server.retrieved = [{ body: payment({ status: 'failed', manual_retry_allowed: false }) }];
    },
    'a secret that has ended': (server) => {
        server.retrieved = [refused(400, 'IR_08')];
    },
    'another profile': (server) => {
        server.retrieved = [{ body: payment({ profile_id: 'pro_2' }) }];
    },
    'no server': (server) => {
        server.retrieved = ['unreachable'];
    },
    'a code to scan': (server) => {
        server.retrieved = [{ body: waits({ type: 'qr_code_information', image_data_url: 'data:image/svg+xml;base64,PHN2Zy8+', display_text: 'code' }) }];
    },
    'a bank that waits': (server) => {
        server.retrieved = [{ body: waits({ type: 'redirect_to_url', redirect_to_url: 'https://pay.example/v' }) }];
    },
    'a paid payment': (server) => {
        server.retrieved = [{ body: payment({ status: 'succeeded' }) }];
    },
    'a payment that is processed': (server) => {
        server.retrieved = [{ body: payment({ status: 'processing', payment_method: 'bank_debit' }) }];
    },
};

describe.each(['light', 'dark'] as const)('in %s', (theme) => {
    it.each(Object.entries(states))('%s can be read by everybody', async (_, prepare) => {
        prepare(new Server());
        const frame = await open({ clientSecret: SECRET, appearance: { theme } });
        // Nothing is laid out in jsdom, so the contrast isn't measured here. The page around is the shop's.
        const found = await axe.run(frame.root, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } });
        expect(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    });
});
