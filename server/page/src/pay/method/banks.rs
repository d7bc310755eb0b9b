//! The banks among which payers choose before they are sent to one.

/// A bank: its word in the contract, and its name.
pub type Bank = (&'static str, &'static str);

/// Returns the banks of a `payment_method_type`, each with the contract's word. Empty: the payer chooses no bank.
pub fn banks(kind: &str) -> &'static [Bank] {
    match kind {
        "eps" => &EPS,
        "ideal" => &IDEAL,
        "online_banking_poland" => &POLAND,
        "przelewy24" => &PRZELEWY24,
        _ => &[],
    }
}

#[rustfmt::skip]
const EPS: [Bank; 27] = [
    ("arzte_und_apotheker_bank", "Ärzte- und Apothekerbank"),
    ("austrian_anadi_bank_ag", "Austrian Anadi Bank"),
    ("bank_austria", "Bank Austria"),
    ("bankhaus_carl_spangler", "Bankhaus Carl Spängler"),
    ("bankhaus_schelhammer_und_schattera_ag", "Bankhaus Schelhammer & Schattera"),
    ("bawag_psk_ag", "BAWAG"),
    ("bks_bank_ag", "BKS Bank"),
    ("brull_kallmus_bank_ag", "Brüll Kallmus Bank"),
    ("btv_vier_lander_bank", "BTV Vier Länder Bank"),
    ("capital_bank_grawe_gruppe_ag", "Capital Bank Grawe Gruppe"),
    ("dolomitenbank", "Dolomitenbank"),
    ("easybank_ag", "easybank"),
    ("erste_bank_und_sparkassen", "Erste Bank und Sparkassen"),
    ("hypo_alpeadriabank_international_ag", "Hypo Alpe-Adria-Bank International"),
    ("hypo_noe_lb_fur_niederosterreich_u_wien", "HYPO NOE"),
    ("hypo_oberosterreich_salzburg_steiermark", "HYPO Oberösterreich, Salzburg, Steiermark"),
    ("hypo_tirol_bank_ag", "Hypo Tirol Bank"),
    ("hypo_vorarlberg_bank_ag", "Hypo Vorarlberg Bank"),
    ("hypo_bank_burgenland_aktiengesellschaft", "Hypo-Bank Burgenland"),
    ("marchfelder_bank", "Marchfelder Bank"),
    ("oberbank_ag", "Oberbank"),
    ("raiffeisen_bankengruppe_osterreich", "Raiffeisen"),
    ("schoellerbank_ag", "Schoellerbank"),
    ("sparda_bank_wien", "Sparda-Bank Wien"),
    ("volkskreditbank_ag", "VKB"),
    ("volksbank_gruppe", "Volksbank"),
    ("vr_bank_braunau", "VR-Bank Braunau"),
];

#[rustfmt::skip]
const IDEAL: [Bank; 16] = [
    ("abn_amro", "ABN AMRO"),
    ("asn_bank", "ASN Bank"),
    ("bunq", "bunq"),
    ("handelsbanken", "Handelsbanken"),
    ("ing", "ING"),
    ("knab", "Knab"),
    ("moneyou", "Moneyou"),
    ("n26", "N26"),
    ("nationale_nederlanden", "Nationale-Nederlanden"),
    ("rabobank", "Rabobank"),
    ("regiobank", "RegioBank"),
    ("revolut", "Revolut"),
    ("sns_bank", "SNS"),
    ("triodos_bank", "Triodos Bank"),
    ("van_lanschot", "Van Lanschot Kempen"),
    ("yoursafe", "Yoursafe"),
];

#[rustfmt::skip]
const POLAND: [Bank; 19] = [
    ("pay_with_alior_bank", "Alior Bank"),
    ("bank_millennium", "Bank Millennium"),
    ("bank_nowy_s_a", "Bank Nowy"),
    ("bank_p_e_k_a_o_s_a", "Bank Pekao"),
    ("banki_spoldzielcze", "Banki Spółdzielcze"),
    ("blik_p_s_p", "BLIK"),
    ("b_n_p_paribas_poland", "BNP Paribas"),
    ("pay_with_b_o_s", "BOŚ Bank"),
    ("pay_with_citi_handlowy", "Citi Handlowy"),
    ("credit_agricole", "Crédit Agricole"),
    ("e_transfer_pocztowy24", "e-transfer Pocztowy24"),
    ("pay_with_i_n_g", "ING"),
    ("pay_with_inteligo", "inteligo"),
    ("m_bank", "mBank"),
    ("place_z_i_p_k_o", "PKO BP (iPKO)"),
    ("pay_with_plus_bank", "Plus Bank"),
    ("santander_przelew24", "Santander"),
    ("toyota_bank", "Toyota Bank"),
    ("velo_bank", "VeloBank"),
];

#[rustfmt::skip]
const PRZELEWY24: [Bank; 25] = [
    ("alior_bank", "Alior Bank"),
    ("bank_millennium", "Bank Millennium"),
    ("bank_nowy_bfg_sa", "Bank Nowy"),
    ("bank_pekao_sa", "Bank Pekao"),
    ("banki_spbdzielcze", "Banki Spółdzielcze"),
    ("blik", "BLIK"),
    ("bnp_paribas", "BNP Paribas"),
    ("boz", "BOŚ Bank"),
    ("citi", "Citi Handlowy"),
    ("credit_agricole", "Crédit Agricole"),
    ("etransfer_pocztowy24", "e-transfer Pocztowy24"),
    ("envelo_bank", "EnveloBank"),
    ("getin_bank", "Getin Bank"),
    ("idea_bank", "Idea Bank"),
    ("ing", "ING"),
    ("inteligo", "inteligo"),
    ("mbank_mtransfer", "mBank"),
    ("nest_przelew", "Nest Przelew"),
    ("noble_pay", "Noble Pay"),
    ("pbac_z_ipko", "PKO BP (iPKO)"),
    ("plus_bank", "Plus Bank"),
    ("santander_przelew24", "Santander"),
    ("toyota_bank", "Toyota Bank"),
    ("velo_bank", "VeloBank"),
    ("volkswagen_bank", "Volkswagen Bank"),
];
