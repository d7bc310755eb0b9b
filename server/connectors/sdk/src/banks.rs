//! The banks among which the payer of a method can choose.

use crate::bank_name::BankName;
use crate::payer_method::PayerMethodRules;
use crate::payment_method::PaymentMethodType;

/// The methods whose payer can name a bank.
static BANKS: [(PaymentMethodType, &[BankName]); 4] = [
    (PaymentMethodType::Eps, &EPS),
    (PaymentMethodType::Ideal, &IDEAL),
    (PaymentMethodType::OnlineBankingPoland, &POLAND),
    (PaymentMethodType::Przelewy24, &PRZELEWY24),
];

/// Returns the banks of a method. Empty: its payer names none.
pub fn banks_of(kind: PaymentMethodType) -> &'static [BankName] {
    let found = BANKS.iter().find(|(method, _)| *method == kind);
    found.map(|(_, banks)| *banks).unwrap_or_default()
}

impl PayerMethodRules {
    /// Returns the banks that a checkout offers. Empty: the payer names none.
    pub fn offered_banks(&self) -> &'static [BankName] {
        match self.banks {
            [] => banks_of(self.kind),
            limited => limited,
        }
    }
}

const EPS: [BankName; 27] = [
    BankName::ArzteUndApothekerBank,
    BankName::AustrianAnadiBankAg,
    BankName::BankAustria,
    BankName::BankhausCarlSpangler,
    BankName::BankhausSchelhammerUndSchatteraAg,
    BankName::BawagPskAg,
    BankName::BksBankAg,
    BankName::BrullKallmusBankAg,
    BankName::BtvVierLanderBank,
    BankName::CapitalBankGraweGruppeAg,
    BankName::Dolomitenbank,
    BankName::EasybankAg,
    BankName::ErsteBankUndSparkassen,
    BankName::HypoAlpeadriabankInternationalAg,
    BankName::HypoNoeLbFurNiederosterreichUWien,
    BankName::HypoOberosterreichSalzburgSteiermark,
    BankName::HypoTirolBankAg,
    BankName::HypoVorarlbergBankAg,
    BankName::HypoBankBurgenlandAktiengesellschaft,
    BankName::MarchfelderBank,
    BankName::OberbankAg,
    BankName::RaiffeisenBankengruppeOsterreich,
    BankName::SchoellerbankAg,
    BankName::SpardaBankWien,
    BankName::VolkskreditbankAg,
    BankName::VolksbankGruppe,
    BankName::VrBankBraunau,
];

const IDEAL: [BankName; 16] = [
    BankName::AbnAmro,
    BankName::AsnBank,
    BankName::Bunq,
    BankName::Handelsbanken,
    BankName::Ing,
    BankName::Knab,
    BankName::Moneyou,
    BankName::N26,
    BankName::NationaleNederlanden,
    BankName::Rabobank,
    BankName::Regiobank,
    BankName::Revolut,
    BankName::SnsBank,
    BankName::TriodosBank,
    BankName::VanLanschot,
    BankName::Yoursafe,
];

const POLAND: [BankName; 19] = [
    BankName::PayWithAliorBank,
    BankName::BankMillennium,
    BankName::BankNowySA,
    BankName::BankPEKAOSA,
    BankName::BankiSpoldzielcze,
    BankName::BlikPSP,
    BankName::BNPParibasPoland,
    BankName::PayWithBOS,
    BankName::PayWithCitiHandlowy,
    BankName::CreditAgricole,
    BankName::ETransferPocztowy24,
    BankName::PayWithING,
    BankName::PayWithInteligo,
    BankName::MBank,
    BankName::PlaceZIPKO,
    BankName::PayWithPlusBank,
    BankName::SantanderPrzelew24,
    BankName::ToyotaBank,
    BankName::VeloBank,
];

const PRZELEWY24: [BankName; 25] = [
    BankName::AliorBank,
    BankName::BankMillennium,
    BankName::BankNowyBfgSa,
    BankName::BankPekaoSa,
    BankName::BankiSpbdzielcze,
    BankName::Blik,
    BankName::BnpParibas,
    BankName::Boz,
    BankName::Citi,
    BankName::CreditAgricole,
    BankName::EtransferPocztowy24,
    BankName::EnveloBank,
    BankName::GetinBank,
    BankName::IdeaBank,
    BankName::Ing,
    BankName::Inteligo,
    BankName::MbankMtransfer,
    BankName::NestPrzelew,
    BankName::NoblePay,
    BankName::PbacZIpko,
    BankName::PlusBank,
    BankName::SantanderPrzelew24,
    BankName::ToyotaBank,
    BankName::VeloBank,
    BankName::VolkswagenBank,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connector_may_limit_the_banks_of_a_method() {
        let rules = |kind| PayerMethodRules::new(kind, &[]);
        let polish = rules(PaymentMethodType::OnlineBankingPoland);
        assert_eq!(polish.offered_banks(), POLAND);
        let limited = polish.at_banks(&[BankName::MBank]);
        assert_eq!(limited.offered_banks(), [BankName::MBank]);
        let without = rules(PaymentMethodType::Paypal);
        assert!(without.offered_banks().is_empty());
    }
}
