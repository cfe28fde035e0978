import { elementsAt, textAt, type XmlElement } from './xml-element.js';

/** A rule of EN 16931, with its official id, such as BR-01. */
export interface BusinessRule {
  id: string;
  text: string;
  holds(invoice: Invoice): boolean;
}

export function brokenRules(root: XmlElement): BusinessRule[] {
  const invoice = read(root);
  return businessRules.filter(({ holds }) => !holds(invoice));
}

/** Amounts are cents; NaN if they are missing, malformed, or have more than two decimals. */
type Invoice = ReturnType<typeof read>;

function read(root: XmlElement) {
  const trade = 'SupplyChainTradeTransaction';
  const settlement = `${trade}/ApplicableHeaderTradeSettlement`;
  const [total] = elementsAt(root, `${settlement}/SpecifiedTradeSettlementHeaderMonetarySummation`);
  const currency = textAt(root, `${settlement}/InvoiceCurrencyCode`);
  const taxCurrency = textAt(root, `${settlement}/TaxCurrencyCode`);
  const taxTotal = (code: string) =>
    (total ? elementsAt(total, 'TaxTotalAmount') : []).find(
      ({ attributes }) => attributes['currencyID'] === code,
    );
  const totalOf = (name: string) => (total ? centsAt(total, name) : NaN);
  return {
    guideline: textAt(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
    number: textAt(root, 'ExchangedDocument/ID'),
    issuedOn: textAt(root, 'ExchangedDocument/IssueDateTime/DateTimeString'),
    type: textAt(root, 'ExchangedDocument/TypeCode'),
    seller: party(root, `${trade}/ApplicableHeaderTradeAgreement/SellerTradeParty`),
    buyer: party(root, `${trade}/ApplicableHeaderTradeAgreement/BuyerTradeParty`),
    lines: elementsAt(root, `${trade}/IncludedSupplyChainTradeLineItem`).map(line),
    taxes: elementsAt(root, `${settlement}/ApplicableTradeTax`).map(tax),
    periods: elementsAt(root, `${settlement}/BillingSpecifiedPeriod`).map(period),
    precedingNumbers: elementsAt(root, `${settlement}/InvoiceReferencedDocument`).map((reference) =>
      textAt(reference, 'IssuerAssignedID'),
    ),
    paymentMeans: textAt(root, `${settlement}/SpecifiedTradeSettlementPaymentMeans/TypeCode`),
    ...{ currency, taxCurrency },
    lineTotal: totalOf('LineTotalAmount'),
    net: totalOf('TaxBasisTotalAmount'),
    tax: centsOf(taxTotal(currency)?.text ?? ''),
    accountingTax: centsOf(taxTotal(taxCurrency)?.text ?? ''),
    gross: totalOf('GrandTotalAmount'),
    prepaid: totalOf('TotalPrepaidAmount'),
    due: totalOf('DuePayableAmount'),
  };
}

function party(root: XmlElement, path: string) {
  const registrations = elementsAt(root, `${path}/SpecifiedTaxRegistration/ID`);
  const registrationId = (scheme: string) =>
    registrations.find(({ attributes }) => attributes['schemeID'] === scheme)?.text ?? '';
  return {
    id: textAt(root, `${path}/ID`),
    name: textAt(root, `${path}/Name`),
    hasAddress: elementsAt(root, `${path}/PostalTradeAddress`).length === 1,
    country: textAt(root, `${path}/PostalTradeAddress/CountryID`),
    vatId: registrationId('VA'),
    taxNumber: registrationId('FC'),
    electronicAddresses: elementsAt(root, `${path}/URIUniversalCommunication/URIID`),
  };
}

function line(element: XmlElement) {
  return {
    id: textAt(element, 'AssociatedDocumentLineDocument/LineID'),
    name: textAt(element, 'SpecifiedTradeProduct/Name'),
    price: centsAt(element, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
    quantity: textAt(element, 'SpecifiedLineTradeDelivery/BilledQuantity'),
    unit: elementsAt(element, 'SpecifiedLineTradeDelivery/BilledQuantity')[0]?.attributes['unitCode'] ?? '',
    category: textAt(element, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode'),
    rate: textAt(element, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent'),
    net: centsAt(
      element,
      'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
    ),
    periods: elementsAt(element, 'SpecifiedLineTradeSettlement/BillingSpecifiedPeriod').map(period),
  };
}

function tax(element: XmlElement) {
  return {
    category: textAt(element, 'CategoryCode'),
    rate: textAt(element, 'RateApplicablePercent'),
    net: centsAt(element, 'BasisAmount'),
    tax: centsAt(element, 'CalculatedAmount'),
    isExplained: textAt(element, 'ExemptionReason') !== '' || textAt(element, 'ExemptionReasonCode') !== '',
  };
}

function period(element: XmlElement) {
  return {
    from: textAt(element, 'StartDateTime/DateTimeString'),
    to: textAt(element, 'EndDateTime/DateTimeString'),
  };
}

const centsAt = (element: XmlElement, path: string) => centsOf(textAt(element, path));

function centsOf(text: string): number {
  return /^-?\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : NaN;
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/**
 * The tax of a credit note (see `creditNoteDraft`) may differ by a few cents from its net amount times the rate. The official rules allow less than
 * one unit of the currency.
 */
const toleranceCents = 100;

function isTaxAtRate({ net, tax: cents, rate }: Invoice['taxes'][number]): boolean {
  return Math.abs((net * Number(rate)) / 100 - cents) < toleranceCents;
}

/** 1A is the code of Kosovo in EN 16931. */
const isCountry = (code: string) => /^(?:[A-Z]{2}|1A)$/.test(code);

const hasTaxId = ({ vatId, taxNumber }: Invoice['seller']) => vatId !== '' || taxNumber !== '';

/** The rules that are alike for all tax categories (such as BR-S-01 and BR-Z-01), without those about allowances and charges. */
function rulesOfCategory(category: string, name: string): BusinessRule[] {
  const uses = ({ lines }: Invoice) => lines.some((each) => each.category === category);
  const rows = ({ taxes }: Invoice) => taxes.filter((each) => each.category === category);
  const rates = ({ lines }: Invoice) =>
    lines.filter((each) => each.category === category).map(({ rate }) => rate);
  const isStandardRate = category === 'S';
  return [
    {
      id: `BR-${category}-01`,
      text: `the tax breakdown has ${isStandardRate ? 'a row' : 'exactly one row'} for the category ${name} if, and only if, a line has it`,
      holds: (invoice) =>
        uses(invoice) === rows(invoice).length > 0 && (isStandardRate || rows(invoice).length <= 1),
    },
    {
      id: `BR-${category}-05`,
      text: { S: 'the rate is above zero', O: 'there is no rate' }[category] ?? 'the rate is zero',
      holds: (invoice) =>
        rates(invoice).every((rate) =>
          isStandardRate
            ? Number(rate) > 0
            : category === 'O'
              ? rate === ''
              : rate !== '' && Number(rate) === 0,
        ),
    },
    {
      id: `BR-${category}-08`,
      text: 'the amount of the category is the sum of its lines',
      holds: (invoice) =>
        rows(invoice).every(
          ({ rate, net }) =>
            net ===
            sum(
              invoice.lines
                .filter((each) => each.category === category && each.rate === rate)
                .map((each) => each.net),
            ),
        ),
    },
    {
      id: `BR-${category}-09`,
      text: isStandardRate
        ? 'the tax of the category is its amount times its rate'
        : 'the tax of the category is zero',
      holds: (invoice) => rows(invoice).every((row) => (isStandardRate ? isTaxAtRate(row) : row.tax === 0)),
    },
    {
      id: `BR-${category}-10`,
      text: `the category has ${['S', 'Z'].includes(category) ? 'no' : 'a'} reason for exemption`,
      holds: (invoice) =>
        rows(invoice).every(({ isExplained }) => isExplained !== ['S', 'Z'].includes(category)),
    },
  ];
}

function sellerTaxIdRule(category: string): BusinessRule {
  return {
    id: `BR-${category}-02`,
    text: 'the seller has a VAT ID or a tax number',
    holds: ({ lines, seller }) => lines.every((each) => each.category !== category) || hasTaxId(seller),
  };
}

/** Stricter than the official rules: our periods always have a first and a last day. */
const isPeriodOrdered = ({ from, to }: { from: string; to: string }) =>
  from !== '' && to !== '' && from <= to;

/** The rules that matter for documents with one line, no allowances and no charges. */
export const businessRules: readonly BusinessRule[] = [
  { id: 'BR-01', text: 'there is a specification identifier', holds: ({ guideline }) => guideline !== '' },
  { id: 'BR-02', text: 'there is a number', holds: ({ number }) => number !== '' },
  { id: 'BR-03', text: 'there is a date of issue', holds: ({ issuedOn }) => /^\d{8}$/.test(issuedOn) },
  { id: 'BR-04', text: 'there is a type', holds: ({ type }) => ['380', '381'].includes(type) },
  { id: 'BR-05', text: 'there is a currency', holds: ({ currency }) => /^[A-Z]{3}$/.test(currency) },
  { id: 'BR-06', text: 'the seller has a name', holds: ({ seller }) => seller.name.trim() !== '' },
  { id: 'BR-07', text: 'the buyer has a name', holds: ({ buyer }) => buyer.name.trim() !== '' },
  { id: 'BR-08', text: 'the seller has an address', holds: ({ seller }) => seller.hasAddress },
  { id: 'BR-09', text: 'the seller has a country', holds: ({ seller }) => isCountry(seller.country) },
  { id: 'BR-10', text: 'the buyer has an address', holds: ({ buyer }) => buyer.hasAddress },
  { id: 'BR-11', text: 'the buyer has a country', holds: ({ buyer }) => isCountry(buyer.country) },
  { id: 'BR-12', text: 'there is a sum of the lines', holds: ({ lineTotal }) => !Number.isNaN(lineTotal) },
  { id: 'BR-13', text: 'there is a net amount', holds: ({ net }) => !Number.isNaN(net) },
  { id: 'BR-14', text: 'there is a gross amount', holds: ({ gross }) => !Number.isNaN(gross) },
  { id: 'BR-15', text: 'there is an amount due', holds: ({ due }) => !Number.isNaN(due) },
  { id: 'BR-16', text: 'there is a line', holds: ({ lines }) => lines.length > 0 },
  { id: 'BR-21', text: 'lines have an identifier', holds: ({ lines }) => lines.every(({ id }) => id !== '') },
  {
    id: 'BR-22',
    text: 'lines have a quantity',
    holds: ({ lines }) => lines.every(({ quantity }) => quantity !== ''),
  },
  {
    id: 'BR-23',
    text: 'quantities have a unit',
    holds: ({ lines }) => lines.every(({ unit }) => unit !== ''),
  },
  {
    id: 'BR-24',
    text: 'lines have a net amount',
    holds: ({ lines }) => lines.every(({ net }) => !Number.isNaN(net)),
  },
  {
    id: 'BR-25',
    text: 'lines have a name',
    holds: ({ lines }) => lines.every(({ name }) => name.trim() !== ''),
  },
  {
    id: 'BR-26',
    text: 'lines have a price',
    holds: ({ lines }) => lines.every(({ price }) => !Number.isNaN(price)),
  },
  { id: 'BR-27', text: 'no price is negative', holds: ({ lines }) => lines.every(({ price }) => price >= 0) },
  {
    id: 'BR-29',
    text: 'the period of the document does not end before it starts',
    holds: ({ periods }) => periods.every(isPeriodOrdered),
  },
  {
    id: 'BR-30',
    text: 'the period of a line does not end before it starts',
    holds: ({ lines }) => lines.every(({ periods }) => periods.every(isPeriodOrdered)),
  },
  { id: 'BR-49', text: 'there are means of payment', holds: ({ paymentMeans }) => paymentMeans !== '' },
  {
    id: 'BR-53',
    text: 'if there is an accounting currency, it differs from the document’s, and the tax is given in it, too',
    holds: ({ taxCurrency, currency, accountingTax }) =>
      taxCurrency === '' || (taxCurrency !== currency && !Number.isNaN(accountingTax)),
  },
  {
    id: 'BR-55',
    text: 'a preceding invoice is referred to by its number',
    holds: ({ precedingNumbers }) => precedingNumbers.every((number) => number !== ''),
  },
  {
    id: 'BR-62',
    text: 'the seller’s electronic address has a scheme',
    holds: ({ seller }) =>
      seller.electronicAddresses.every(({ attributes }) => attributes['schemeID'] !== undefined),
  },
  {
    id: 'BR-63',
    text: 'the buyer’s electronic address has a scheme',
    holds: ({ buyer }) =>
      buyer.electronicAddresses.every(({ attributes }) => attributes['schemeID'] !== undefined),
  },
  {
    id: 'BR-CO-04',
    text: 'lines have a tax category',
    holds: ({ lines }) => lines.every(({ category }) => category !== ''),
  },
  {
    id: 'BR-CO-09',
    text: 'VAT IDs begin with a country code',
    holds: ({ seller, buyer }) =>
      [seller, buyer].every(({ vatId }) => vatId === '' || /^(?:[A-Z]{2}|1A)/.test(vatId)),
  },
  {
    id: 'BR-CO-10',
    text: 'the sum of the lines is right',
    holds: ({ lines, lineTotal }) => lineTotal === sum(lines.map(({ net }) => net)),
  },
  {
    id: 'BR-CO-13',
    text: 'the net amount is the sum of the lines',
    holds: ({ lineTotal, net }) => net === lineTotal,
  },
  {
    id: 'BR-CO-14',
    text: 'the tax is the sum of the breakdown',
    holds: ({ taxes, tax: total }) => total === sum(taxes.map((row) => row.tax)),
  },
  {
    id: 'BR-CO-15',
    text: 'the gross amount is the net amount plus the tax',
    holds: ({ net, tax: total, gross }) => gross === net + total,
  },
  {
    id: 'BR-CO-16',
    text: 'the amount due is the gross amount minus the prepaid amount',
    holds: ({ gross, prepaid, due }) => due === gross - prepaid,
  },
  {
    id: 'BR-CO-17',
    text: 'the tax of a category is its amount times its rate',
    holds: ({ taxes }) => taxes.every(isTaxAtRate),
  },
  { id: 'BR-CO-18', text: 'there is a breakdown of the tax', holds: ({ taxes }) => taxes.length > 0 },
  {
    id: 'BR-CO-26',
    text: 'the seller can be identified',
    holds: ({ seller }) => seller.id !== '' || seller.vatId !== '',
  },
  ...rulesOfCategory('S', 'standard rate'),
  sellerTaxIdRule('S'),
  ...rulesOfCategory('Z', 'zero rate'),
  sellerTaxIdRule('Z'),
  ...rulesOfCategory('E', 'exempt'),
  sellerTaxIdRule('E'),
  ...rulesOfCategory('AE', 'reverse charge'),
  {
    id: 'BR-AE-02',
    text: 'the seller has a VAT ID or a tax number, and the buyer a VAT ID',
    holds: ({ lines, seller, buyer }) =>
      lines.every(({ category }) => category !== 'AE') || (hasTaxId(seller) && buyer.vatId !== ''),
  },
  ...rulesOfCategory('O', 'not subject to tax'),
  {
    id: 'BR-O-02',
    text: 'neither party has a VAT ID',
    holds: ({ lines, seller, buyer }) =>
      lines.every(({ category }) => category !== 'O') || (seller.vatId === '' && buyer.vatId === ''),
  },
  {
    id: 'BR-O-11',
    text: 'there is no other category besides “not subject to tax”',
    holds: ({ taxes }) => taxes.length === 1 || taxes.every(({ category }) => category !== 'O'),
  },
];
