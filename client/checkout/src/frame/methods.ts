// The methods that a payer can choose, from the server's offers.
import type { Texts } from '../texts/en.ts';
import type { Offers, OfferedType, SavedMethod } from './api.ts';
import type { Bank } from './banks.ts';
import { banksOf } from './banks.ts';
import { filled } from './dom.ts';

export type Scheme = 'ach' | 'bacs' | 'becs' | 'sepa';

export type FieldKind =
    | 'accountType' | 'achAccount' | 'bacsAccount' | 'bank' | 'becsAccount' | 'blik' | 'bsb' | 'city' | 'code' | 'country'
    | 'email' | 'expiry' | 'firstName' | 'holder' | 'cardHolder' | 'iban' | 'lastName' | 'line1' | 'number' | 'phone' | 'routing'
    | 'sortCode' | 'state' | 'tax' | 'upi' | 'zip';

/** A field of a method: the path of its member in the confirm, and its choices if it has some. */
export interface FieldPlan {
    kind: FieldKind;
    member: string;
    isRequired: boolean;
    choices?: readonly Bank[];
    /** True if the field is shown only when the server asks for it. */
    isAsked?: boolean;
}

/** A way to pay. */
export interface Plan {
    id: string;
    /** The word of events: `card`, `ideal`, `saved`. */
    type: string;
    name: string;
    hint?: string;
    /** The members that the confirm has beside those of the fields. */
    body: Readonly<Record<string, unknown>>;
    fields: FieldPlan[];
    scheme?: Scheme;
}

/** The name of each method that the checkout offers, and the member of `payment_method_data` with its data. */
const METHODS: Readonly<Record<string, readonly [member: string, name: string | keyof Texts]>> = {
    ach: ['bank_debit.ach_bank_debit', 'achMethod'],
    affirm: ['pay_later.affirm_redirect', 'Affirm'],
    afterpay_clearpay: ['pay_later.afterpay_clearpay_redirect', 'Afterpay / Clearpay'],
    ali_pay: ['wallet.ali_pay_redirect', 'Alipay'],
    bacs: ['bank_debit.bacs_bank_debit', 'bacsMethod'],
    bancontact_card: ['bank_redirect.bancontact_card', 'Bancontact'],
    becs: ['bank_debit.becs_bank_debit', 'becsMethod'],
    blik: ['bank_redirect.blik', 'BLIK'],
    boleto: ['voucher.boleto', 'Boleto'],
    cashapp: ['wallet.cashapp_qr', 'Cash App Pay'],
    eps: ['bank_redirect.eps', 'eps'],
    ideal: ['bank_redirect.ideal', 'iDEAL'],
    klarna: ['pay_later.klarna_redirect', 'Klarna'],
    mobile_pay: ['wallet.mobile_pay_redirect', 'MobilePay'],
    multibanco: ['bank_transfer.multibanco_bank_transfer', 'Multibanco'],
    online_banking_poland: ['bank_redirect.online_banking_poland', 'polishBank'],
    oxxo: ['voucher.oxxo', 'OXXO'],
    paypal: ['wallet.paypal_redirect', 'PayPal'],
    pix: ['bank_transfer.pix', 'Pix'],
    przelewy24: ['bank_redirect.przelewy24', 'Przelewy24'],
    sepa: ['bank_debit.sepa_bank_debit', 'sepaMethod'],
    sepa_bank_transfer: ['bank_transfer.sepa_bank_transfer', 'bankTransfer'],
    // Swish is a redirect whose data stand with the wallets.
    swish: ['wallet.swish_qr', 'Swish'],
    trustly: ['bank_redirect.trustly', 'Trustly'],
    twint: ['wallet.twint_redirect', 'TWINT'],
    upi_collect: ['upi.upi_collect', 'upiAddressMethod'],
    upi_intent: ['upi.upi_intent', 'upiAppMethod'],
    upi_qr: ['upi.upi_qr', 'upiCodeMethod'],
    vipps: ['wallet.vipps_redirect', 'Vipps'],
    we_chat_pay: ['wallet.we_chat_pay_qr', 'WeChat Pay'],
};

const SCHEMES: readonly string[] = ['ach', 'bacs', 'becs', 'sepa'];
const isScheme = (kind: string | null | undefined): kind is Scheme => SCHEMES.includes(kind ?? '');

/** The order of the fields: first the method's own, then the payer, then the address. */
const ORDER: readonly FieldKind[] = [
    'holder', 'bank', 'blik', 'upi', 'number', 'expiry', 'code', 'cardHolder', 'iban', 'routing', 'sortCode', 'bsb', 'achAccount',
    'bacsAccount', 'becsAccount', 'accountType', 'firstName', 'lastName', 'tax', 'email', 'phone', 'line1', 'zip', 'city', 'state', 'country',
];

/** The countries whose accounts receive transfers. */
const TRANSFER_COUNTRIES = 'BE DE ES FR IE NL';
const COUNTRIES =
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE ' +
    'DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ ' +
    'OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW ' +
    'TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

/** The kind of a field by its word in the offer. The member of a word with several kinds decides. */
const KINDS: Readonly<Record<string, FieldKind | ((member: string) => FieldKind | undefined)>> = {
    user_address_city: 'city',
    user_address_line1: 'line1',
    user_address_pincode: 'zip',
    user_address_state: 'state',
    user_bank: 'bank',
    user_bank_account_holder_name: 'holder',
    user_bank_account_number: (member) => (['ach', 'bacs', 'becs'] as const).map((scheme) => (member.includes(`${scheme}_bank_debit`) ? (`${scheme}Account` as const) : undefined)).find(Boolean),
    user_bank_routing_number: 'routing',
    user_bank_sort_code: 'sortCode',
    user_billing_name: (member) => (member.endsWith('first_name') ? 'firstName' : 'lastName'),
    user_blik_code: 'blik',
    user_bsb_number: 'bsb',
    user_card_cvc: 'code',
    user_card_expiry_month: 'expiry',
    user_card_number: 'number',
    user_country: 'country',
    user_email_address: 'email',
    user_iban: 'iban',
    user_phone_number: 'phone',
    user_social_security_number: 'tax',
    user_vpa_id: 'upi',
};

const CARD = 'payment_method_data.card';
const BILLING = 'payment_method_data.billing';

/** The card, whose fields are always the same. */
export function cardPlan(texts: Texts): Plan {
    return {
        id: 'card',
        type: 'card',
        name: texts.card,
        body: { payment_method: 'card' },
        fields: [
            { kind: 'number', member: `${CARD}.card_number`, isRequired: true },
            { kind: 'expiry', member: `${CARD}.card_exp_month`, isRequired: true },
            { kind: 'code', member: `${CARD}.card_cvc`, isRequired: true },
            { kind: 'cardHolder', member: `${CARD}.card_holder_name`, isRequired: false },
        ],
    };
}

/** Returns the offered methods. Wallets of devices are left out, and so is a method with a field that is unknown here. */
export function plansOf(offers: Offers, texts: Texts): Plan[] {
    const all = offers.payment_methods.flatMap((family) => family.payment_method_types.map((offer) => ({ family: family.payment_method, offer })));
    const others = all.filter(({ family }) => family !== 'card').map(({ family, offer }) => planOf(family, offer, texts));
    const cards = all.some(({ family }) => family === 'card') ? [cardPlan(texts)] : [];
    return [...cards, ...others.filter((plan) => plan !== undefined)];
}

/** Returns the name that payers read for a `payment_method_type`, or nothing for one that isn't offered here. */
export function methodName(kind: string | null | undefined, texts: Texts): string | undefined {
    const [, name] = METHODS[kind ?? ''] ?? [];
    return name && name in texts ? String(texts[name as keyof Texts]) : name;
}

function planOf(family: string, offer: OfferedType, texts: Texts): Plan | undefined {
    const { payment_method_type: kind } = offer;
    const [member] = METHODS[kind] ?? [];
    const name = methodName(kind, texts);
    if (!member || !name) return undefined;
    const banks = banksOf(kind, new Set((offer.bank_names ?? []).flatMap((list) => list.bank_name)));
    const fields: FieldPlan[] = [];
    for (const [path, { field_type: word }] of Object.entries(offer.required_fields ?? {})) {
        // The year stands beside its month, and a phone number has its country's code.
        if (word === 'user_card_expiry_year') continue;
        const known = KINDS[word];
        const field = typeof known === 'function' ? known(path) : known;
        if (!field) return undefined;
        const place = field === 'phone' ? `${BILLING}.phone.number` : path;
        if (fields.some((one) => one.member === place)) continue;
        const choices = field === 'bank' ? banks : field === 'country' ? countriesOf(path) : undefined;
        fields.push({ kind: field, member: place, isRequired: true, ...(choices && { choices }) });
    }
    if (banks.length > 0 && !fields.some((field) => field.kind === 'bank')) {
        const last = kind === 'online_banking_poland' ? 'issuer' : 'bank_name';
        fields.push({ kind: 'bank', member: `payment_method_data.${member}.${last}`, isRequired: false, choices: banks });
    }
    if (kind === 'ach') fields.push({ kind: 'accountType', member: `payment_method_data.${member}.bank_type`, isRequired: false });
    const asksForCountry = fields.some((field) => field.member === `${BILLING}.address.country`);
    if (asksForCountry && !fields.some((field) => field.kind === 'state')) {
        fields.push({ kind: 'state', member: `${BILLING}.address.state`, isRequired: false, isAsked: true });
    }
    fields.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
    const experiences = offer.payment_experience ?? [];
    const isAtPage = experiences.length > 0 && experiences.every((one) => one.payment_experience_type === 'redirect_to_url');
    const [data, variety = ''] = member.split('.') as [string, string?];
    return {
        id: kind,
        type: kind,
        name,
        ...(isAtPage && { hint: filled(texts.atPage, { method: name }) }),
        body: { payment_method: family, payment_method_type: kind, payment_method_data: { [data]: { [variety]: {} } } },
        fields,
        ...(isScheme(kind) && { scheme: kind }),
    };
}

const countriesOf = (member: string): Bank[] =>
    (member.includes('sepa_bank_transfer') ? TRANSFER_COUNTRIES : COUNTRIES).split(' ').map((code) => [code, code]);

/** Returns the payer's saved methods as ways to pay, the default one first. */
export function savedPlans(methods: readonly SavedMethod[], texts: Texts): Plan[] {
    const sorted = [...methods].sort((one, other) => Number(other.default_payment_method_set ?? false) - Number(one.default_payment_method_set ?? false));
    return sorted.flatMap((method): Plan[] => {
        const body = { payment_method: method.payment_method, payment_token: method.payment_token };
        const id = `saved-${method.payment_token}`;
        const { card, bank } = method;
        if (card) {
            const name = filled(texts.savedCard, { network: card.card_network ?? texts.card, last4: card.last4_digits ?? '' });
            const [month, year] = [card.expiry_month, card.expiry_year];
            const hint = month && year ? { hint: filled(texts.validUntil, { month, year: year.slice(-2) }) } : {};
            const code: FieldPlan = { kind: 'code', member: 'card_cvc', isRequired: true };
            return [{ id, type: 'saved', name, ...hint, body, fields: method.requires_cvv ? [code] : [] }];
        }
        if (!bank) return [];
        const scheme = method.payment_method_type;
        return [{ id, type: 'saved', name: filled(texts.savedAccount, { mask: bank.mask }), body, fields: [], ...(isScheme(scheme) && { scheme }) }];
    });
}
