import type { CardNetwork, ConnectorAuthType, PaymentMethod, PaymentMethodType } from 'multirail';

/** The kinds of credentials, and the members that the contract gives each. */
export const CREDENTIALS = {
    HeaderKey: ['api_key'],
    BodyKey: ['api_key', 'key1'],
    SignatureKey: ['api_key', 'key1', 'api_secret'],
    MultiAuthKey: ['api_key', 'key1', 'api_secret', 'key2'],
    CurrencyAuthKey: ['auth_key_map'],
    CertificateAuth: ['certificate', 'private_key'],
    NoKey: [],
    TemporaryAuth: [],
} as const satisfies Readonly<Record<ConnectorAuthType, readonly string[]>>;

export const NETWORKS = ['Visa', 'Mastercard', 'AmericanExpress', 'JCB', 'DinersClub', 'Discover', 'CartesBancaires', 'UnionPay', 'Interac', 'RuPay', 'Maestro', 'Star', 'Pulse', 'Accel', 'Nyce'] as const satisfies readonly CardNetwork[];

/** The types of each payment method. */
const TYPES: Readonly<Record<PaymentMethod, string>> = {
    card: 'credit debit',
    card_redirect: 'benefit card_redirect knet momo_atm',
    pay_later: 'affirm afterpay_clearpay alma atome breadpay flexiti klarna pay_bright walley payjustnow',
    wallet: 'ali_pay ali_pay_hk amazon_pay apple_pay bluecode cashapp dana gcash go_pay google_pay kakao_pay mb_way mifinity mobile_pay momo paypal paysera paze revolut_pay samsung_pay skrill touch_n_go twint venmo vipps we_chat_pay',
    bank_redirect: 'bancontact_card bizum blik eft eps giropay ideal interac local_bank_redirect online_banking_czech_republic online_banking_finland online_banking_fpx online_banking_poland online_banking_slovakia online_banking_thailand open_banking_uk przelewy24 sofort swish trustly',
    bank_transfer: 'bca_bank_transfer bni_va bri_va cimb_va danamon_va indonesian_bank_transfer instant_bank_transfer instant_bank_transfer_finland instant_bank_transfer_poland local_bank_transfer mandiri_va multibanco permata_bank_transfer pix pse sepa_bank_transfer pix_automatico_push pix_automatico_qr pix_emv pix_key',
    crypto: 'crypto_currency',
    bank_debit: 'ach bacs becs sepa eft_debit_order sepa_guarenteed_debit',
    reward: 'classic evoucher',
    real_time_payment: 'duit_now fps prompt_pay viet_qr qris',
    upi: 'upi_collect upi_intent upi_qr',
    voucher: 'alfamart boleto efecty family_mart indomaret lawson mini_stop oxxo pago_efectivo pay_easy red_compra red_pagos seicomart seven_eleven',
    gift_card: 'bhn_card_network givex pay_safe_card',
    open_banking: 'open_banking_pis open_banking',
    mobile_payment: 'direct_carrier_billing',
    network_token: 'network_token',
};

export const METHODS = Object.keys(TYPES) as readonly PaymentMethod[];

/** Returns the types of a payment method. */
export function typesOf(method: PaymentMethod): readonly PaymentMethodType[] {
    return TYPES[method].split(' ') as PaymentMethodType[];
}
