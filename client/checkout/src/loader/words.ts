// The few texts that stand on the shop's page itself.
import { primaryLanguage } from '../language.ts';

interface Words {
    /** The name of the frame, which screen readers say. */
    title: string;
    pay: string;
    unreachable: string;
}

export const WORDS: Readonly<Record<string, Words>> = {
    ar: {
        title: 'نموذج دفع آمن',
        pay: 'ادفع',
        unreachable: 'تعذّر تحميل نموذج الدفع. يُرجى إعادة تحميل الصفحة.',
    },
    cs: {
        title: 'Zabezpečený platební formulář',
        pay: 'Zaplatit',
        unreachable: 'Platební formulář se nepodařilo načíst. Načtěte prosím stránku znovu.',
    },
    da: {
        title: 'Sikker betalingsformular',
        pay: 'Betal',
        unreachable: 'Betalingsformularen kunne ikke indlæses. Genindlæs siden.',
    },
    de: {
        title: 'Sicheres Bezahlformular',
        pay: 'Bezahlen',
        unreachable: 'Das Bezahlformular konnte nicht geladen werden. Bitte laden Sie die Seite neu.',
    },
    el: {
        title: 'Ασφαλής φόρμα πληρωμής',
        pay: 'Πληρωμή',
        unreachable: 'Δεν ήταν δυνατή η φόρτωση της φόρμας πληρωμής. Φορτώστε ξανά τη σελίδα.',
    },
    en: {
        title: 'Secure payment form',
        pay: 'Pay',
        unreachable: 'The payment form could not be loaded. Please load the page once more.',
    },
    es: {
        title: 'Formulario de pago seguro',
        pay: 'Pagar',
        unreachable: 'No se ha podido cargar el formulario de pago. Vuelva a cargar la página.',
    },
    fi: {
        title: 'Suojattu maksulomake',
        pay: 'Maksa',
        unreachable: 'Maksulomaketta ei voitu ladata. Lataa sivu uudelleen.',
    },
    fr: {
        title: 'Formulaire de paiement sécurisé',
        pay: 'Payer',
        unreachable: 'Le formulaire de paiement n’a pas pu être chargé. Veuillez recharger la page.',
    },
    he: {
        title: 'טופס תשלום מאובטח',
        pay: 'לתשלום',
        unreachable: 'לא ניתן היה לטעון את טופס התשלום. יש לטעון את הדף מחדש.',
    },
    hu: {
        title: 'Biztonságos fizetési űrlap',
        pay: 'Fizetés',
        unreachable: 'A fizetési űrlapot nem sikerült betölteni. Kérjük, töltse be újra az oldalt.',
    },
    it: {
        title: 'Modulo di pagamento sicuro',
        pay: 'Paga',
        unreachable: 'Non è stato possibile caricare il modulo di pagamento. Ricaricare la pagina.',
    },
    ja: {
        title: '安全なお支払いフォーム',
        pay: '支払う',
        unreachable: 'お支払いフォームを読み込めませんでした。ページを再読み込みしてください。',
    },
    nb: {
        title: 'Sikkert betalingsskjema',
        pay: 'Betal',
        unreachable: 'Betalingsskjemaet kunne ikke lastes inn. Last inn siden på nytt.',
    },
    nl: {
        title: 'Beveiligd betaalformulier',
        pay: 'Betalen',
        unreachable: 'Het betaalformulier kon niet worden geladen. Laad de pagina opnieuw.',
    },
    pl: {
        title: 'Bezpieczny formularz płatności',
        pay: 'Zapłać',
        unreachable: 'Nie udało się wczytać formularza płatności. Odśwież stronę.',
    },
    pt: {
        title: 'Formulário de pagamento seguro',
        pay: 'Pagar',
        unreachable: 'Não foi possível carregar o formulário de pagamento. Volte a carregar a página.',
    },
    ro: {
        title: 'Formular de plată securizat',
        pay: 'Plătește',
        unreachable: 'Formularul de plată nu a putut fi încărcat. Reîncărcați pagina.',
    },
    sv: {
        title: 'Säkert betalningsformulär',
        pay: 'Betala',
        unreachable: 'Betalningsformuläret kunde inte laddas. Ladda om sidan.',
    },
    tr: {
        title: 'Güvenli ödeme formu',
        pay: 'Öde',
        unreachable: 'Ödeme formu yüklenemedi. Lütfen sayfayı yeniden yükleyin.',
    },
};

/** Returns the texts in the language of a tag, or of the browser; else in English. */
export function wordsIn(locale: string | undefined): Words {
    return WORDS[primaryLanguage(locale)] ?? (WORDS['en'] as Words);
}
