//! The mandates that payers agree to, in each language. The schemes prescribe their content; the names of the facts
//! (creditor, payee, amount) stand above the paragraphs, so that these need no name.

/// The texts of mandates, and of the page that shows a payer the account once more.
#[derive(Debug)]
pub struct MandateTexts {
    pub creditor: &'static str,
    pub payee: &'static str,
    /// The payee of a merchant without a name.
    pub shop: &'static str,
    pub amount: &'static str,
    pub kind: &'static str,
    pub once: &'static str,
    pub later: &'static str,
    pub bad_agree: &'static str,
    pub review: &'static str,
    pub change: &'static str,
    pub go_on: &'static str,
    pub ach: Wording,
    pub bacs: Wording,
    pub becs: Wording,
    pub sepa: Wording,
}

/// The wording of a scheme's mandate.
#[derive(Debug)]
pub struct Wording {
    pub title: &'static str,
    /// The permission for one debit.
    pub once: &'static str,
    /// The permission for this debit and later ones.
    pub later: &'static str,
    /// The payer's rights and confirmations.
    pub rights: &'static [&'static str],
    /// The consent that the payer gives.
    pub agree: &'static str,
}

pub static ENGLISH: MandateTexts = MandateTexts {
    creditor: "Creditor",
    payee: "Payee",
    shop: "The shop of this page",
    amount: "Amount",
    kind: "Type of payment",
    once: "One-off",
    later: "Recurrent",
    bad_agree: "Please agree. Without this, your account can’t be debited.",
    review: "Please check your details",
    change: "Change the details",
    go_on: "Continue",
    ach: Wording {
        title: "Authorization to debit your account",
        once: "You authorize the payee to debit this account electronically for this amount, today or on one of the next banking days.",
        later: "You authorize the payee to debit this account electronically for this amount, today or on one of the next banking days, and for later amounts that you owe under your agreement with the payee.",
        rights: &[
            "You authorize a credit to this account if a debit was wrong. You can revoke this authorization by contacting the payee, as long as they still have time to act on it.",
            "You confirm that you are the holder of this account, or may sign for it.",
        ],
        agree: "I give this authorization.",
    },
    bacs: Wording {
        title: "Instruction to your bank or building society to pay by Direct Debit",
        once: BACS_ENGLISH,
        later: BACS_ENGLISH,
        rights: &[
            "The Direct Debit Guarantee is offered by all banks and building societies that accept instructions to pay Direct Debits.",
            "If there are any changes to the amount, date or frequency of your Direct Debit, the payee will notify you (normally 10 working days) in advance of your account being debited or as otherwise agreed. If you request the payee to collect a payment, confirmation of the amount and date will be given to you at the time of the request.",
            "If an error is made in the payment of your Direct Debit, by the payee or your bank or building society, you are entitled to a full and immediate refund of the amount paid from your bank or building society. If you receive a refund you are not entitled to, you must pay it back when the payee asks you to.",
            "You can cancel a Direct Debit at any time by simply contacting your bank or building society. Written confirmation may be required. Please also notify the payee.",
        ],
        agree: "I am the account holder, nobody else has to authorise Direct Debits from this account, and I give this instruction.",
    },
    becs: Wording {
        title: "Direct Debit Request",
        once: "You request and authorise the payee to debit this account through the Bulk Electronic Clearing System (BECS) for this amount.",
        later: "You request and authorise the payee to debit this account through the Bulk Electronic Clearing System (BECS) for this amount, and for later amounts that you owe under your agreement with the payee.",
        rights: &[
            "You can change, defer or stop a debit, or dispute one, by contacting the payee or your bank. A debit that falls on a day that is no business day is made on the next business day.",
            "Please make sure that the account has enough money. Your bank may charge you for a debit that fails. The payee keeps the details of your account confidential, except where the debit or a dispute needs them.",
            "You confirm that you are the holder of this account or an authorised signatory of it.",
        ],
        agree: "I agree to this Direct Debit Request.",
    },
    sepa: Wording {
        title: "SEPA Direct Debit mandate",
        once: SEPA_ENGLISH,
        later: SEPA_ENGLISH,
        rights: &[
            "As part of your rights, you are entitled to a refund from your bank under the terms and conditions of your agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your account was debited.",
        ],
        agree: "I agree to this mandate.",
    },
};

const BACS_ENGLISH: &str = "Please pay the payee Direct Debits from the account detailed in this instruction, subject to the safeguards assured by the Direct Debit Guarantee. This instruction may remain with the payee and, if so, its details will be passed electronically to your bank or building society.";
const SEPA_ENGLISH: &str = "By agreeing to this mandate, you authorise (A) the creditor to send instructions to your bank to debit your account and (B) your bank to debit your account in accordance with the instructions from the creditor.";

pub static GERMAN: MandateTexts = MandateTexts {
    creditor: "Zahlungsempfänger",
    payee: "Zahlungsempfänger",
    shop: "Der Händler dieser Seite",
    amount: "Betrag",
    kind: "Zahlungsart",
    once: "Einmalige Zahlung",
    later: "Wiederkehrende Zahlung",
    bad_agree: "Bitte stimmen Sie zu. Sonst kann Ihr Konto nicht belastet werden.",
    review: "Bitte prüfen Sie Ihre Angaben",
    change: "Angaben ändern",
    go_on: "Weiter",
    ach: Wording {
        title: "Ermächtigung, Ihr Konto zu belasten",
        once: "Sie ermächtigen den Zahlungsempfänger, dieses Konto heute oder an einem der nächsten Bankarbeitstage elektronisch mit diesem Betrag zu belasten.",
        later: "Sie ermächtigen den Zahlungsempfänger, dieses Konto heute oder an einem der nächsten Bankarbeitstage elektronisch mit diesem Betrag zu belasten und später mit Beträgen, die Sie ihm nach Ihrer Vereinbarung schulden.",
        rights: &[
            "Sie ermächtigen zu einer Gutschrift auf dieses Konto, falls eine Belastung falsch war. Sie können die Ermächtigung beim Zahlungsempfänger widerrufen, solange er noch Zeit hat, danach zu handeln.",
            "Sie bestätigen, dass Ihnen dieses Konto gehört oder Sie darüber verfügen dürfen.",
        ],
        agree: "Ich erteile diese Ermächtigung.",
    },
    bacs: Wording {
        title: "Auftrag an Ihre Bank oder Bausparkasse zur Zahlung per Lastschrift",
        once: BACS_GERMAN,
        later: BACS_GERMAN,
        rights: &[
            "Die Lastschrift-Garantie (Direct Debit Guarantee) geben alle Banken und Bausparkassen, die Aufträge zur Zahlung per Lastschrift annehmen.",
            "Ändern sich Betrag, Datum oder Häufigkeit Ihrer Lastschrift, benachrichtigt Sie der Zahlungsempfänger (in der Regel 10 Arbeitstage) vor der Belastung Ihres Kontos oder wie anders vereinbart. Bitten Sie den Zahlungsempfänger, eine Zahlung einzuziehen, werden Ihnen Betrag und Datum dabei bestätigt.",
            "Macht der Zahlungsempfänger oder Ihre Bank einen Fehler bei Ihrer Lastschrift, haben Sie Anspruch auf volle und sofortige Erstattung durch Ihre Bank. Eine Erstattung, die Ihnen nicht zusteht, müssen Sie auf Verlangen des Zahlungsempfängers zurückzahlen.",
            "Sie können eine Lastschrift jederzeit bei Ihrer Bank widerrufen. Eine schriftliche Bestätigung kann nötig sein. Bitte benachrichtigen Sie auch den Zahlungsempfänger.",
        ],
        agree: "Das Konto gehört mir, niemand sonst muss Lastschriften von diesem Konto zustimmen, und ich erteile diesen Auftrag.",
    },
    becs: Wording {
        title: "Lastschriftauftrag (Direct Debit Request)",
        once: "Sie beauftragen und ermächtigen den Zahlungsempfänger, dieses Konto über das Bulk Electronic Clearing System (BECS) mit diesem Betrag zu belasten.",
        later: "Sie beauftragen und ermächtigen den Zahlungsempfänger, dieses Konto über das Bulk Electronic Clearing System (BECS) mit diesem Betrag zu belasten und später mit Beträgen, die Sie ihm nach Ihrer Vereinbarung schulden.",
        rights: &[
            "Sie können eine Lastschrift beim Zahlungsempfänger oder bei Ihrer Bank ändern, verschieben, beenden oder ihr widersprechen. Fällt eine Lastschrift auf einen Tag, der kein Bankarbeitstag ist, wird sie am nächsten Bankarbeitstag ausgeführt.",
            "Bitte achten Sie darauf, dass das Konto gedeckt ist. Ihre Bank kann für eine fehlgeschlagene Lastschrift Gebühren verlangen. Der Zahlungsempfänger behandelt Ihre Kontodaten vertraulich, soweit nicht die Lastschrift oder ein Widerspruch sie erfordert.",
            "Sie bestätigen, dass Ihnen dieses Konto gehört oder Sie dafür zeichnen dürfen.",
        ],
        agree: "Ich stimme diesem Lastschriftauftrag zu.",
    },
    sepa: Wording {
        title: "SEPA-Lastschriftmandat",
        once: SEPA_GERMAN,
        later: SEPA_GERMAN,
        rights: &[
            "Hinweis: Ich kann innerhalb von acht Wochen, beginnend mit dem Belastungsdatum, die Erstattung des belasteten Betrages verlangen. Es gelten dabei die mit meinem Kreditinstitut vereinbarten Bedingungen.",
        ],
        agree: "Ich erteile dieses Mandat.",
    },
};

const BACS_GERMAN: &str = "Bitte zahlen Sie dem Zahlungsempfänger Lastschriften von dem Konto in diesem Auftrag, mit dem Schutz der Lastschrift-Garantie (Direct Debit Guarantee). Dieser Auftrag kann beim Zahlungsempfänger bleiben; seine Angaben werden dann elektronisch an Ihre Bank oder Bausparkasse weitergegeben.";
const SEPA_GERMAN: &str = "Ich ermächtige den Zahlungsempfänger, Zahlungen von meinem Konto mittels Lastschrift einzuziehen. Zugleich weise ich mein Kreditinstitut an, die vom Zahlungsempfänger auf mein Konto gezogenen Lastschriften einzulösen.";

pub static FRENCH: MandateTexts = MandateTexts {
    creditor: "Créancier",
    payee: "Bénéficiaire",
    shop: "Le commerçant de cette page",
    amount: "Montant",
    kind: "Type de paiement",
    once: "Ponctuel",
    later: "Récurrent",
    bad_agree: "Veuillez donner votre accord. Sans lui, votre compte ne peut pas être débité.",
    review: "Veuillez vérifier vos coordonnées",
    change: "Modifier les coordonnées",
    go_on: "Continuer",
    ach: Wording {
        title: "Autorisation de débiter votre compte",
        once: "Vous autorisez le bénéficiaire à débiter ce compte par voie électronique de ce montant, aujourd’hui ou l’un des prochains jours bancaires.",
        later: "Vous autorisez le bénéficiaire à débiter ce compte par voie électronique de ce montant, aujourd’hui ou l’un des prochains jours bancaires, puis des montants que vous lui devrez selon votre accord.",
        rights: &[
            "Vous autorisez un crédit sur ce compte si un débit était erroné. Vous pouvez révoquer cette autorisation auprès du bénéficiaire tant qu’il a encore le temps d’en tenir compte.",
            "Vous confirmez être titulaire de ce compte ou pouvoir signer pour lui.",
        ],
        agree: "Je donne cette autorisation.",
    },
    bacs: Wording {
        title: "Instruction à votre banque ou « building society » de payer par prélèvement",
        once: BACS_FRENCH,
        later: BACS_FRENCH,
        rights: &[
            "La garantie des prélèvements (Direct Debit Guarantee) est offerte par toutes les banques et « building societies » qui acceptent les instructions de prélèvement.",
            "Si le montant, la date ou la fréquence de votre prélèvement change, le bénéficiaire vous en informe à l’avance (normalement 10 jours ouvrés) ou comme convenu autrement. Si vous demandez au bénéficiaire de prélever un paiement, le montant et la date vous sont confirmés au moment de la demande.",
            "Si le bénéficiaire ou votre banque commet une erreur dans votre prélèvement, vous avez droit au remboursement intégral et immédiat par votre banque. Un remboursement auquel vous n’avez pas droit doit être rendu lorsque le bénéficiaire le demande.",
            "Vous pouvez annuler un prélèvement à tout moment auprès de votre banque. Une confirmation écrite peut être demandée. Informez-en aussi le bénéficiaire.",
        ],
        agree: "Je suis titulaire du compte, personne d’autre ne doit autoriser des prélèvements sur ce compte, et je donne cette instruction.",
    },
    becs: Wording {
        title: "Demande de prélèvement (Direct Debit Request)",
        once: "Vous demandez et autorisez le bénéficiaire à débiter ce compte de ce montant par le Bulk Electronic Clearing System (BECS).",
        later: "Vous demandez et autorisez le bénéficiaire à débiter ce compte de ce montant par le Bulk Electronic Clearing System (BECS), puis des montants que vous lui devrez selon votre accord.",
        rights: &[
            "Vous pouvez modifier, reporter, arrêter ou contester un prélèvement auprès du bénéficiaire ou de votre banque. Un prélèvement qui tombe un jour non ouvré est fait le jour ouvré suivant.",
            "Veillez à ce que le compte soit approvisionné. Votre banque peut facturer un prélèvement qui échoue. Le bénéficiaire garde vos coordonnées bancaires confidentielles, sauf si le prélèvement ou une contestation les exige.",
            "Vous confirmez être titulaire de ce compte ou en avoir la signature.",
        ],
        agree: "J’accepte cette demande de prélèvement.",
    },
    sepa: Wording {
        title: "Mandat de prélèvement SEPA",
        once: SEPA_FRENCH,
        later: SEPA_FRENCH,
        rights: &[
            "Vous bénéficiez du droit d’être remboursé par votre banque selon les conditions décrites dans la convention que vous avez passée avec elle. Une demande de remboursement doit être présentée dans les 8 semaines suivant la date de débit de votre compte.",
        ],
        agree: "J’accepte ce mandat.",
    },
};

const BACS_FRENCH: &str = "Veuillez payer au bénéficiaire des prélèvements sur le compte indiqué dans cette instruction, sous la protection de la garantie des prélèvements (Direct Debit Guarantee). Cette instruction peut rester chez le bénéficiaire ; ses données sont alors transmises par voie électronique à votre banque ou « building society ».";
const SEPA_FRENCH: &str = "En acceptant ce mandat, vous autorisez (A) le créancier à envoyer des instructions à votre banque pour débiter votre compte, et (B) votre banque à débiter votre compte conformément aux instructions du créancier.";

pub static SPANISH: MandateTexts = MandateTexts {
    creditor: "Acreedor",
    payee: "Beneficiario",
    shop: "El comercio de esta página",
    amount: "Importe",
    kind: "Tipo de pago",
    once: "Pago único",
    later: "Pago recurrente",
    bad_agree: "Dé su consentimiento. Sin él no se puede adeudar su cuenta.",
    review: "Compruebe sus datos",
    change: "Cambiar los datos",
    go_on: "Continuar",
    ach: Wording {
        title: "Autorización para adeudar su cuenta",
        once: "Autoriza al beneficiario a adeudar este importe en esta cuenta de forma electrónica, hoy o en uno de los próximos días hábiles bancarios.",
        later: "Autoriza al beneficiario a adeudar este importe en esta cuenta de forma electrónica, hoy o en uno de los próximos días hábiles bancarios, y más adelante los importes que le deba según su acuerdo.",
        rights: &[
            "Autoriza un abono en esta cuenta si un adeudo fue erróneo. Puede revocar esta autorización ante el beneficiario mientras tenga tiempo de tenerla en cuenta.",
            "Confirma que es titular de esta cuenta o puede firmar por ella.",
        ],
        agree: "Doy esta autorización.",
    },
    bacs: Wording {
        title: "Orden a su banco o «building society» de pagar mediante adeudo directo",
        once: BACS_SPANISH,
        later: BACS_SPANISH,
        rights: &[
            "La garantía de adeudos directos (Direct Debit Guarantee) la ofrecen todos los bancos y «building societies» que aceptan órdenes de adeudo directo.",
            "Si cambia el importe, la fecha o la frecuencia de su adeudo, el beneficiario se lo comunicará con antelación (normalmente 10 días hábiles) o según lo acordado. Si pide al beneficiario que cobre un pago, se le confirmarán el importe y la fecha en el momento de la petición.",
            "Si el beneficiario o su banco comete un error en su adeudo, tiene derecho al reembolso íntegro e inmediato por parte de su banco. Un reembolso que no le corresponda debe devolverse cuando el beneficiario lo pida.",
            "Puede cancelar un adeudo en cualquier momento en su banco. Puede pedirse una confirmación escrita. Comuníquelo también al beneficiario.",
        ],
        agree: "Soy titular de la cuenta, nadie más tiene que autorizar adeudos en ella, y doy esta orden.",
    },
    becs: Wording {
        title: "Solicitud de adeudo directo (Direct Debit Request)",
        once: "Solicita y autoriza al beneficiario a adeudar este importe en esta cuenta por el Bulk Electronic Clearing System (BECS).",
        later: "Solicita y autoriza al beneficiario a adeudar este importe en esta cuenta por el Bulk Electronic Clearing System (BECS), y más adelante los importes que le deba según su acuerdo.",
        rights: &[
            "Puede cambiar, aplazar, detener o impugnar un adeudo ante el beneficiario o su banco. Un adeudo que caiga en un día no hábil se hace el día hábil siguiente.",
            "Procure que la cuenta tenga saldo. Su banco puede cobrarle por un adeudo fallido. El beneficiario mantiene en secreto los datos de su cuenta, salvo que el adeudo o una impugnación los requiera.",
            "Confirma que es titular de esta cuenta o tiene firma autorizada en ella.",
        ],
        agree: "Acepto esta solicitud de adeudo.",
    },
    sepa: Wording {
        title: "Orden de domiciliación de adeudo directo SEPA",
        once: SEPA_SPANISH,
        later: SEPA_SPANISH,
        rights: &[
            "Como parte de sus derechos, está legitimado al reembolso por su banco en los términos y condiciones del contrato suscrito con él. La solicitud de reembolso deberá efectuarse dentro de las ocho semanas que siguen a la fecha de adeudo en cuenta.",
        ],
        agree: "Acepto esta orden de domiciliación.",
    },
};

const BACS_SPANISH: &str = "Pague al beneficiario adeudos directos de la cuenta indicada en esta orden, con la protección de la garantía de adeudos directos (Direct Debit Guarantee). Esta orden puede quedar en poder del beneficiario; en ese caso, sus datos se transmitirán electrónicamente a su banco o «building society».";
const SEPA_SPANISH: &str = "Al aceptar esta orden de domiciliación, autoriza (A) al acreedor a enviar instrucciones a su banco para adeudar su cuenta y (B) a su banco para efectuar los adeudos en su cuenta siguiendo las instrucciones del acreedor.";

pub static JAPANESE: MandateTexts = MandateTexts {
    creditor: "債権者",
    payee: "受取人",
    shop: "このページのお店",
    amount: "金額",
    kind: "お支払いの種類",
    once: "1回のみ",
    later: "継続",
    bad_agree: "同意してください。同意がないと口座から引き落とすことができません。",
    review: "入力内容をご確認ください",
    change: "入力内容を変更する",
    go_on: "次へ",
    ach: Wording {
        title: "口座引き落としの承認",
        once: "本日または次の銀行営業日以降に、この口座からこの金額を電子的に引き落とすことを受取人に承認します。",
        later: "本日または次の銀行営業日以降に、この口座からこの金額を電子的に引き落とすこと、および今後、受取人との取り決めに基づく金額を引き落とすことを承認します。",
        rights: &[
            "引き落としに誤りがあった場合に、この口座へ入金することを承認します。受取人が対応できる時間があるうちに連絡すれば、この承認を取り消すことができます。",
            "この口座の名義人であるか、署名する権限があることを確認します。",
        ],
        agree: "この引き落としを承認します。",
    },
    bacs: Wording {
        title: "銀行または住宅金融組合への口座振替（Direct Debit）の指図",
        once: BACS_JAPANESE,
        later: BACS_JAPANESE,
        rights: &[
            "口座振替保証（Direct Debit Guarantee）は、口座振替の指図を受け付けるすべての銀行と住宅金融組合が提供しています。",
            "口座振替の金額、日付、頻度が変わる場合、受取人は引き落としの前（通常10営業日前）または別途合意した時期にお知らせします。受取人に引き落としを依頼した場合は、その時に金額と日付をお知らせします。",
            "受取人または銀行が口座振替を誤った場合、銀行から全額の返金を直ちに受ける権利があります。権利のない返金を受けた場合は、受取人の求めに応じて返さなければなりません。",
            "口座振替は、銀行に連絡していつでも取り消すことができます。書面による確認が必要な場合があります。受取人にもお知らせください。",
        ],
        agree: "私は口座名義人であり、この口座の振替に他の人の承認は必要なく、この指図を行います。",
    },
    becs: Wording {
        title: "口座振替の依頼（Direct Debit Request）",
        once: "Bulk Electronic Clearing System（BECS）を通じて、この口座からこの金額を引き落とすことを受取人に依頼し、承認します。",
        later: "Bulk Electronic Clearing System（BECS）を通じて、この口座からこの金額を引き落とすこと、および今後、受取人との取り決めに基づく金額を引き落とすことを依頼し、承認します。",
        rights: &[
            "受取人または銀行に連絡して、引き落としの変更、延期、停止、異議申し立てができます。引き落とし日が営業日でない場合は、次の営業日に引き落とされます。",
            "口座の残高が足りることをご確認ください。引き落としができない場合、銀行が手数料を請求することがあります。受取人は、引き落としや異議申し立てに必要な場合を除き、口座の情報を秘密に保ちます。",
            "この口座の名義人であるか、署名する権限があることを確認します。",
        ],
        agree: "この依頼に同意します。",
    },
    sepa: Wording {
        title: "SEPA 口座振替の委任",
        once: SEPA_JAPANESE,
        later: SEPA_JAPANESE,
        rights: &[
            "お客様には、銀行との契約の条件に従って銀行から返金を受ける権利があります。返金は、口座から引き落とされた日から8週間以内に請求しなければなりません。",
        ],
        agree: "この委任に同意します。",
    },
};

const BACS_JAPANESE: &str = "この指図に記載された口座から、口座振替保証（Direct Debit Guarantee）の保護のもとで、受取人に口座振替で支払ってください。この指図は受取人が保管することがあり、その場合、内容は銀行または住宅金融組合に電子的に伝えられます。";
const SEPA_JAPANESE: &str = "この委任に同意することで、(A) 債権者がお客様の口座から引き落とす指図を銀行に送ること、および (B) 銀行が債権者の指図に従ってお客様の口座から引き落とすことを承認します。";
