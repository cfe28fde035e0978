import { countryCodes, type InvoiceDocument } from '#libs/contracts';
import { dollarsOf } from '../money/price.js';
import { brokenRules } from './business-rules.js';
import { group, leaf, optionalLeaf, serialize, type XmlElement } from './xml-element.js';

/** The document breaks rules of EN 16931. */
export class InvalidInvoice extends Error {}

/**
 * The e-invoice: XML in the syntax CII (UN/CEFACT Cross Industry Invoice), following EN 16931. The comments here name its business terms (BT-…).
 * Throws InvalidInvoice.
 */
export function xmlOf(document: InvoiceDocument): string {
  const root = elementOf(document);
  const broken = brokenRules(root);
  if (broken.length > 0)
    throw new InvalidInvoice(
      `${document.number} breaks ${broken.map(({ id, text }) => `${id} (${text})`).join(', ')}`,
    );
  return serialize(root);
}

export function elementOf(document: InvoiceDocument): XmlElement {
  const root = group(
    'rsm:CrossIndustryInvoice',
    group(
      'rsm:ExchangedDocumentContext',
      group(
        'ram:GuidelineSpecifiedDocumentContextParameter',
        leaf('ram:ID', 'urn:cen.eu:en16931:2017'), // BT-24
      ),
    ),
    group(
      'rsm:ExchangedDocument',
      leaf('ram:ID', document.number), // BT-1
      leaf('ram:TypeCode', document.kind === 'invoice' ? '380' : '381'), // BT-3
      group('ram:IssueDateTime', dateLeaf('udt:DateTimeString', document.issuedOn)), // BT-2
    ),
    group(
      'rsm:SupplyChainTradeTransaction',
      lineOf(document),
      agreementOf(document),
      group('ram:ApplicableHeaderTradeDelivery'),
      settlementOf(document),
    ),
  );
  return { ...root, attributes: namespaces };
}

const namespaces = {
  'xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  'xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  'xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  'xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

function lineOf({ item, tax, netCents }: InvoiceDocument): XmlElement {
  return group(
    'ram:IncludedSupplyChainTradeLineItem',
    group('ram:AssociatedDocumentLineDocument', leaf('ram:LineID', '1')), // BT-126
    group('ram:SpecifiedTradeProduct', leaf('ram:Name', item.name)), // BT-153
    group(
      'ram:SpecifiedLineTradeAgreement',
      group('ram:NetPriceProductTradePrice', leaf('ram:ChargeAmount', dollarsOf(netCents))), // BT-146
    ),
    group('ram:SpecifiedLineTradeDelivery', leaf('ram:BilledQuantity', '1', { unitCode: 'C62' })), // BT-129, BT-130
    group(
      'ram:SpecifiedLineTradeSettlement',
      group(
        'ram:ApplicableTradeTax',
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', tax.category), // BT-151
        rateLeaf(tax), // BT-152
      ),
      periodOf(item), // BT-134, BT-135
      group(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        leaf('ram:LineTotalAmount', dollarsOf(netCents)), // BT-131
      ),
    ),
  );
}

function agreementOf({ seller, buyer, order, tax }: InvoiceDocument): XmlElement {
  // If the sale is not subject to tax, no party may have a VAT ID here (BR-O-02).
  const withVatIds = tax.category !== 'O';
  return group(
    'ram:ApplicableHeaderTradeAgreement',
    group(
      'ram:SellerTradeParty',
      // BR-CO-26 requires this id if no VAT ID is given below. The e-mail address or the name will do.
      leaf('ram:ID', firstOf(seller.register, seller.taxNumber, seller.vatId, seller.email, seller.name)), // BT-29
      leaf('ram:Name', seller.name), // BT-27
      addressOf(seller), // BT-35 to BT-40
      emailOf(seller.email), // BT-34
      withVatIds ? registrationOf('VA', vatIdOf(seller)) : null, // BT-31
      registrationOf('FC', seller.taxNumber || (vatIdOf(seller) === '' ? seller.vatId : '')), // BT-32
    ),
    group(
      'ram:BuyerTradeParty',
      leaf('ram:Name', buyer.company || buyer.name), // BT-44
      buyer.company === '' ? null : contactOf(buyer.name), // BT-56
      addressOf(buyer), // BT-50 to BT-55
      emailOf(buyer.email), // BT-49
      withVatIds ? registrationOf('VA', vatIdOf(buyer)) : null, // BT-48
    ),
    group('ram:SellerOrderReferencedDocument', leaf('ram:IssuerAssignedID', String(order.number))), // BT-14
  );
}

function settlementOf(document: InvoiceDocument): XmlElement {
  const { currency, accounting, payment, cites, netCents, taxCents, grossCents } = document;
  return group(
    'ram:ApplicableHeaderTradeSettlement',
    optionalLeaf('ram:PaymentReference', payment?.reference ?? null), // BT-83
    accounting && leaf('ram:TaxCurrencyCode', accounting.currency), // BT-6
    leaf('ram:InvoiceCurrencyCode', currency), // BT-5
    group(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      // 68: an online payment service; 1: not known.
      leaf('ram:TypeCode', payment ? '68' : '1'), // BT-81
      optionalLeaf('ram:Information', payment?.method ?? null), // BT-82
    ),
    taxOf(document),
    periodOf(document.item), // BT-73, BT-74
    group(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      leaf('ram:LineTotalAmount', dollarsOf(netCents)), // BT-106
      leaf('ram:TaxBasisTotalAmount', dollarsOf(netCents)), // BT-109
      leaf('ram:TaxTotalAmount', dollarsOf(taxCents), { currencyID: currency }), // BT-110
      // `dollarsOf` also formats amounts of other currencies.
      accounting &&
        leaf('ram:TaxTotalAmount', dollarsOf(accounting.taxCents), { currencyID: accounting.currency }), // BT-111
      leaf('ram:GrandTotalAmount', dollarsOf(grossCents)), // BT-112
      // Nothing is due: an invoice is issued only once its order counts as paid, and a credit note takes back an invoice or a part of it.
      leaf('ram:TotalPrepaidAmount', dollarsOf(grossCents)), // BT-113
      leaf('ram:DuePayableAmount', dollarsOf(0)), // BT-115
    ),
    cites &&
      group(
        'ram:InvoiceReferencedDocument',
        leaf('ram:IssuerAssignedID', cites.number), // BT-25
        group('ram:FormattedIssueDateTime', dateLeaf('qdt:DateTimeString', cites.issuedOn)), // BT-26
      ),
  );
}

function taxOf({ tax, netCents, taxCents }: InvoiceDocument): XmlElement {
  return group(
    'ram:ApplicableTradeTax',
    leaf('ram:CalculatedAmount', dollarsOf(taxCents)), // BT-117
    leaf('ram:TypeCode', 'VAT'),
    optionalLeaf('ram:ExemptionReason', tax.reason), // BT-120
    leaf('ram:BasisAmount', dollarsOf(netCents)), // BT-116
    leaf('ram:CategoryCode', tax.category), // BT-118
    optionalLeaf('ram:ExemptionReasonCode', tax.reasonCode), // BT-121
    rateLeaf(tax), // BT-119
  );
}

/** What is not subject to tax has no rate, not even zero (BR-O-05). */
function rateLeaf({ category, rate }: InvoiceDocument['tax']): XmlElement | null {
  return category === 'O' ? null : leaf('ram:RateApplicablePercent', rate);
}

function periodOf({ period }: InvoiceDocument['item']): XmlElement | null {
  if (!period) return null;
  return group(
    'ram:BillingSpecifiedPeriod',
    group('ram:StartDateTime', dateLeaf('udt:DateTimeString', period.from)),
    group('ram:EndDateTime', dateLeaf('udt:DateTimeString', period.to)),
  );
}

function addressOf(party: InvoiceDocument['seller'] | InvoiceDocument['buyer']): XmlElement {
  return group(
    'ram:PostalTradeAddress',
    optionalLeaf('ram:PostcodeCode', party.postalCode),
    optionalLeaf('ram:LineOne', party.addressLine1),
    optionalLeaf('ram:LineTwo', party.addressLine2),
    optionalLeaf('ram:CityName', party.city),
    // The code list of the standard has 1A for Kosovo instead of XK.
    leaf('ram:CountryID', party.countryCode === 'XK' ? '1A' : party.countryCode),
  );
}

function contactOf(name: string): XmlElement {
  return group('ram:DefinedTradeContact', leaf('ram:PersonName', name));
}

function emailOf(email: string): XmlElement | null {
  const address = optionalLeaf('ram:URIID', email, { schemeID: 'EM' });
  return address && group('ram:URIUniversalCommunication', address);
}

/**
 * Empty for an id without a country's prefix, which BR-CO-09 forbids. If the seller has no tax number, `agreementOf` gives such an id as the tax
 * number.
 */
function vatIdOf({ vatId }: { vatId: string }): string {
  const prefix = vatId.slice(0, 2);
  return ['EL', 'XI'].includes(prefix) || countryCodes.includes(prefix) ? vatId : '';
}

/** A VAT ID (`VA`) or a national tax number (`FC`). */
function registrationOf(schemeID: 'VA' | 'FC', id: string): XmlElement | null {
  const number = optionalLeaf('ram:ID', id, { schemeID });
  return number && group('ram:SpecifiedTaxRegistration', number);
}

/** Format 102 of UNTDID 2379: YYYYMMDD. */
function dateLeaf(name: string, day: string): XmlElement {
  return leaf(name, day.replaceAll('-', ''), { format: '102' });
}

function firstOf(...texts: string[]): string {
  return texts.find((text) => text.trim() !== '') ?? '';
}
