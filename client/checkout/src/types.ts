// The public types of the checkout: those of the loader, of its events and of its answers.

/** A payment, as far as a shop's page may see it. The merchant's server reads the rest with its secret key. */
export interface Payment {
    payment_id: string;
    status: string;
    amount: number;
    currency: string;
    profile_id?: string | null;
    customer_id?: string | null;
    payment_method?: string | null;
    payment_method_type?: string | null;
    return_url?: string | null;
    error_code?: string | null;
    error_message?: string | null;
    manual_retry_allowed?: boolean | null;
    next_action?: { type: string; redirect_to_url?: string | null } | null;
}

export type ErrorType =
    | 'api_connection_error'
    | 'api_error'
    | 'card_error'
    | 'invalid_request_error'
    | 'rate_limit_error'
    | 'validation_error';

/** A refusal or a decline. `message` is for the payer, in their language. */
export interface CheckoutError {
    type: ErrorType;
    code: string;
    message: string;
    /** The processor's code of a decline. */
    decline_code?: string;
    payment?: Payment;
}

export type PaymentResult = { payment: Payment; error?: undefined } | { error: CheckoutError; payment?: undefined };
export type SubmitResult = { error?: CheckoutError };

export type Theme = 'light' | 'dark' | 'auto';

/** The look of the fields. A value that is no colour or length is left out. */
export interface Appearance {
    theme?: Theme;
    variables?: {
        colorPrimary?: string;
        colorBackground?: string;
        colorText?: string;
        colorDanger?: string;
        borderRadius?: string;
        fontSizeBase?: string;
        spacingUnit?: string;
    };
}

export interface BillingDetails {
    name?: string;
    email?: string;
    phone?: string;
    address?: { line1?: string; city?: string; state?: string; postal_code?: string; country?: string };
}

export interface DefaultValues {
    billingDetails?: BillingDetails;
}

export type Mode = 'payment' | 'setup';

export interface ElementsOptions {
    clientSecret?: string;
    /** With `amount` and `currency`: a checkout before its payment exists. */
    mode?: Mode;
    /** In minor units. */
    amount?: number;
    currency?: string;
    appearance?: Appearance;
    locale?: string;
}

export type ElementKind = 'payment' | 'card';

export interface ElementOptions {
    defaultValues?: DefaultValues;
}

export interface ChangeEvent {
    elementType: ElementKind;
    /** True if every field of the chosen method is filled in rightly. */
    complete: boolean;
    empty: boolean;
    /** The chosen method, never what was typed. */
    value: { type: string };
}

export interface ElementEvents {
    ready: { elementType: ElementKind };
    change: ChangeEvent;
    focus: { elementType: ElementKind };
    blur: { elementType: ElementKind };
    loaderror: { elementType: ElementKind; error: CheckoutError };
}

export interface CheckoutElement {
    mount(place: string | Element): CheckoutElement;
    unmount(): void;
    destroy(): void;
    update(options: ElementOptions): void;
    on<Name extends keyof ElementEvents>(name: Name, handler: (event: ElementEvents[Name]) => void): CheckoutElement;
    once<Name extends keyof ElementEvents>(name: Name, handler: (event: ElementEvents[Name]) => void): CheckoutElement;
    off<Name extends keyof ElementEvents>(name: Name, handler?: (event: ElementEvents[Name]) => void): CheckoutElement;
    focus(): void;
    blur(): void;
    clear(): void;
}

export interface Elements {
    create(kind: ElementKind, options?: ElementOptions): CheckoutElement;
    getElement(kind: ElementKind): CheckoutElement | null;
    update(options: Pick<ElementsOptions, 'mode' | 'amount' | 'currency' | 'appearance' | 'locale'>): void;
    /** Checks the fields and shows what is wrong with them. Call it before you create the payment. */
    submit(): Promise<SubmitResult>;
}

export interface ConfirmOptions {
    elements: Elements;
    /** Required unless the elements have it. */
    clientSecret?: string;
    confirmParams?: { return_url?: string };
    /** `if_required` answers here unless the payer has to visit a page; `always` also goes to `return_url` after a success. */
    redirect?: 'always' | 'if_required';
}

export interface MultirailInstance {
    elements(options: ElementsOptions): Elements;
    confirmPayment(options: ConfirmOptions): Promise<PaymentResult>;
    confirmSetup(options: ConfirmOptions): Promise<PaymentResult>;
    handleNextAction(options: { clientSecret: string }): Promise<PaymentResult>;
    retrievePayment(clientSecret: string): Promise<PaymentResult>;
}

export interface MultirailOptions {
    /** The business profile. Without it the server takes the merchant's default profile. */
    profile?: string;
    locale?: string;
    /** The origin of the checkout, such as `https://pay.shop.example`. By default that of the loader's script. */
    origin?: string;
}

/** Opens the checkout with a publishable key. */
export type MultirailConstructor = (publishableKey: string, options?: MultirailOptions) => MultirailInstance;

declare global {
    interface Window {
        /** Set by the script of the checkout. */
        Multirail?: MultirailConstructor;
    }
}
