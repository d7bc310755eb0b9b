/** A scheme's mandate. */
export interface Wording {
    title: string;
    /** The permission for one debit. */
    once: string;
    /** The permission for this debit and later ones. */
    later: string;
    rights: string[];
    agree: string;
    /** The language of the wording, where it is not that of the other texts. */
    lang?: string;
}

/**
 * The mandates of schemes whose banks speak English. Bacs prescribes the wording of its instruction, and a debit of another
 * country's account is agreed to in the words of its banks: languages without a wording of their own show this one.
 */
export const schemes = {
    ach: {
        title: 'Authorization to debit your account',
        once: 'You authorize the payee to debit this account electronically for this amount, today or on one of the next banking days.',
        later: 'You authorize the payee to debit this account electronically for this amount, today or on one of the next banking days, and for later amounts that you owe under your agreement with the payee.',
        rights: [
            'You authorize a credit to this account if a debit was wrong. You can revoke this authorization by contacting the payee, as long as they still have time to act on it.',
            'You confirm that you are the holder of this account, or may sign for it.',
        ],
        agree: 'I give this authorization.',
    },
    bacs: {
        title: 'Instruction to your bank or building society to pay by Direct Debit',
        once: 'Please pay the payee Direct Debits from the account detailed in this instruction, subject to the safeguards assured by the Direct Debit Guarantee. This instruction may remain with the payee and, if so, its details will be passed electronically to your bank or building society.',
        later: 'Please pay the payee Direct Debits from the account detailed in this instruction, subject to the safeguards assured by the Direct Debit Guarantee. This instruction may remain with the payee and, if so, its details will be passed electronically to your bank or building society.',
        rights: [
            'The Direct Debit Guarantee is offered by all banks and building societies that accept instructions to pay Direct Debits.',
            'If there are any changes to the amount, date or frequency of your Direct Debit, the payee will notify you (normally 10 working days) in advance of your account being debited or as otherwise agreed. If you request the payee to collect a payment, confirmation of the amount and date will be given to you at the time of the request.',
            'If an error is made in the payment of your Direct Debit, by the payee or your bank or building society, you are entitled to a full and immediate refund of the amount paid from your bank or building society. If you receive a refund you are not entitled to, you must pay it back when the payee asks you to.',
            'You can cancel a Direct Debit at any time by simply contacting your bank or building society. Written confirmation may be required. Please also notify the payee.',
        ],
        agree: 'I am the account holder, nobody else has to authorise Direct Debits from this account, and I give this instruction.',
    },
    becs: {
        title: 'Direct Debit Request',
        once: 'You request and authorise the payee to debit this account through the Bulk Electronic Clearing System (BECS) for this amount.',
        later: 'You request and authorise the payee to debit this account through the Bulk Electronic Clearing System (BECS) for this amount, and for later amounts that you owe under your agreement with the payee.',
        rights: [
            'You can change, defer or stop a debit, or dispute one, by contacting the payee or your bank. A debit that falls on a day that is no business day is made on the next business day.',
            'Please make sure that the account has enough money. Your bank may charge you for a debit that fails. The payee keeps the details of your account confidential, except where the debit or a dispute needs them.',
            'You confirm that you are the holder of this account or an authorised signatory of it.',
        ],
        agree: 'I agree to this Direct Debit Request.',
    },
} satisfies Record<string, Wording>;

/** The same for other languages: readers of the screen pronounce it as English. */
export const inEnglish = Object.fromEntries(Object.entries(schemes).map(([name, wording]) => [name, { ...wording, lang: 'en' }])) as Record<keyof typeof schemes, Wording>;
