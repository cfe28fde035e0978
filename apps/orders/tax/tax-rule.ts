import type { InvoiceSettings, TaxCategory, VatIdState } from '#libs/contracts';
import { isInEu, standardRateOf } from './tax-rates.js';
import { countryOfVatId } from './vat-id.js';

export type SellerTaxSettings = Pick<
  InvoiceSettings,
  'countryCode' | 'vatId' | 'taxNumber' | 'taxMode' | 'exemptionReason' | 'domesticRate' | 'aboveThreshold'
>;

export interface TaxedBuyer {
  /** ISO 3166-1. */
  countryCode: string;
  /** Normalized; empty if there is none. */
  vatId: string;
  /** Null if there is no VAT ID. */
  vatIdState: VatIdState | null;
}

export interface TaxTreatment {
  category: TaxCategory;
  /** In percent, e.g. `"25.5"`; `"0"` if no tax is charged. */
  rate: string;
  /** Why no tax is charged, for the invoice; null if a rate applies, even a rate of zero. */
  reason: string | null;
  /** From VATEX, the code list of reasons for charging no VAT. */
  reasonCode: string | null;
}

const reverseCharge: TaxTreatment = {
  category: 'AE',
  rate: '0',
  reason: 'Reverse charge: the recipient of the service owes the VAT (Article 196 of Directive 2006/112/EC).',
  reasonCode: 'VATEX-EU-AE',
};
const outsideScope: TaxTreatment = {
  category: 'O',
  rate: '0',
  reason: 'Not subject to tax: the service is supplied outside the seller’s tax territory.',
  reasonCode: 'VATEX-EU-O',
};
/** For a seller who charges no tax and has not entered a reason. */
const defaultReason = 'No tax is charged.';

/**
 * How a sale on this day (YYYY-MM-DD) is taxed under Directive 2006/112/EC, for services that are supplied electronically:
 * - A business in another member state owes the tax itself (Articles 44 and 196).
 * - A consumer there pays the seller's rate (Article 59c). Once the seller's sales to such consumers exceed 10,000 EUR a year, which the seller
 *   states with `aboveThreshold`, the consumer pays the rate of their own country (Article 58).
 * - A customer outside the EU pays no tax to a seller in the EU. A seller outside the EU charges tax only in their own country.
 *
 * A VAT ID is accepted unless it is known to be wrong, because the register sometimes does not answer for days.
 */
export function taxTreatment(settings: SellerTaxSettings, buyer: TaxedBuyer, day: string): TaxTreatment {
  if (settings.taxMode === 'none') return exempt(settings);
  const { countryCode: home, aboveThreshold } = settings;
  if (buyer.countryCode === home) return atRate(domesticRate(settings, day));
  if (!isInEu(home) || !isInEu(buyer.countryCode)) return outsideScope;
  if (isBusinessElsewhere(buyer, home)) return reverseCharge;
  return atRate(aboveThreshold ? standardRateOf(buyer.countryCode, day)! : domesticRate(settings, day));
}

/** In percent; "0" for a seller outside the EU who has not entered a rate. */
function domesticRate(
  { domesticRate: entered, countryCode }: Pick<SellerTaxSettings, 'domesticRate' | 'countryCode'>,
  day: string,
): string {
  return entered === '' ? (standardRateOf(countryCode, day) ?? '0') : String(Number(entered));
}

/** The category E requires a VAT ID or a tax number of the seller (EN 16931, BR-E-02). Without either, the category is O: not subject to tax. */
function exempt({ exemptionReason, vatId, taxNumber }: SellerTaxSettings): TaxTreatment {
  const reason = exemptionReason === '' ? defaultReason : exemptionReason;
  if (vatId === '' && taxNumber === '') return { category: 'O', rate: '0', reason, reasonCode: 'VATEX-EU-O' };
  return { category: 'E', rate: '0', reason, reasonCode: null };
}

function atRate(rate: string): TaxTreatment {
  return { category: Number(rate) === 0 ? 'Z' : 'S', rate, reason: null, reasonCode: null };
}

function isBusinessElsewhere({ vatId, vatIdState }: TaxedBuyer, home: string): boolean {
  const country = countryOfVatId(vatId);
  const isAccepted = vatIdState === 'valid' || vatIdState === 'unknown';
  return isAccepted && country !== null && country !== home;
}
