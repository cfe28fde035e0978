import { describe, expect, test } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import type { InvoiceDocument } from '#libs/contracts';
import { domestic, invoiceDocuments } from '../test/invoice-documents.js';
import { brokenRules, businessRules } from './business-rules.js';
import { elementOf, InvalidInvoice, xmlOf } from './invoice-xml.js';
import { serialize, type XmlElement } from './xml-element.js';

const options = { preserveOrder: true, ignoreAttributes: false, attributeNamePrefix: '' };
const parser = new XMLParser({ ...options, parseTagValue: false, htmlEntities: true });

/** The tree that another program reads from the file. */
function parsed(xml: string): XmlElement {
  const [, root] = parser.parse(xml) as object[];
  return treeOf(root!);
}

function treeOf(node: object): XmlElement {
  const { ':@': attributes = {}, ...rest } = node as { ':@'?: Record<string, string> };
  const [[name, inner]] = Object.entries(rest) as [[string, { '#text'?: string }[]]];
  const text = inner.map((each) => each['#text'] ?? '').join('');
  return { name, attributes, text, children: inner.filter((each) => !('#text' in each)).map(treeOf) };
}

const brokenIds = (root: XmlElement) => brokenRules(root).map(({ id }) => id);

test('no two rules have the same id', () => {
  const all = businessRules.map(({ id }) => id);
  expect(new Set(all).size).toBe(all.length);
});

describe.each(Object.entries(invoiceDocuments))('%s', (_name, document) => {
  test('obeys the rules, also as a file', () => {
    expect(brokenIds(elementOf(document))).toEqual([]);
    expect(brokenIds(parsed(xmlOf(document)))).toEqual([]);
  });

  const wrongAmounts: [string, Partial<InvoiceDocument>, string[]][] = [
    ['net amount', { netCents: document.netCents - 1 }, ['BR-CO-15']],
    ['tax', { taxCents: document.taxCents + 1 }, ['BR-CO-15']],
    ['gross amount', { grossCents: document.grossCents + 1 }, ['BR-CO-15']],
    [
      'split into net amount and tax',
      { netCents: document.netCents - 200, taxCents: document.taxCents + 200 },
      ['BR-CO-17', `BR-${document.tax.category}-09`],
    ],
  ];
  test.each(wrongAmounts)('is refused with a wrong %s', (_what, change, broken) => {
    const wrong = { ...document, ...change };
    expect(brokenIds(elementOf(wrong))).toEqual(expect.arrayContaining(broken));
    expect(() => xmlOf(wrong)).toThrow(InvalidInvoice);
    expect(() => xmlOf(wrong)).toThrow(broken[0]);
  });
});

/** Each breaks a rule in the file of a sample document. No pattern has ten groups, so `$1243.71` is the group `$1` and the text `243.71`. */
const faults: [rule: string, sample: string, change: [find: RegExp, replace: string]][] = [
  ['BR-01', 'domestic', [/urn:cen.eu:en16931:2017/, '']],
  ['BR-02', 'domestic', [/INV-2026-00042/, '']],
  ['BR-03', 'domestic', [/>20261121</, '><']],
  ['BR-04', 'domestic', [/>380</, '>999<']],
  ['BR-05', 'domestic', [/(InvoiceCurrencyCode>)USD/, '$1']],
  ['BR-06', 'domestic', [/Rankwerk Search GmbH/, ' ']],
  ['BR-07', 'domestic', [/Hoffmann &#38; Töchter OHG/, '']],
  ['BR-08', 'domestic', [/<ram:PostalTradeAddress>.*?<\/ram:PostalTradeAddress>/s, '']],
  ['BR-09', 'domestic', [/(CountryID>)DE/, '$1']],
  [
    'BR-10',
    'domestic',
    [/(BuyerTradeParty>.*?)<ram:PostalTradeAddress>.*?<\/ram:PostalTradeAddress>/s, '$1'],
  ],
  ['BR-11', 'domestic', [/(BuyerTradeParty>.*?CountryID>)DE/s, '$1Germany']],
  [
    'BR-12',
    'domestic',
    [/(HeaderMonetarySummation>.*?)<ram:LineTotalAmount>.*?<\/ram:LineTotalAmount>/s, '$1'],
  ],
  ['BR-13', 'domestic', [/(TaxBasisTotalAmount>)243.70/, '$1243.705']],
  ['BR-14', 'domestic', [/(GrandTotalAmount>)290.00/, '$1']],
  ['BR-15', 'domestic', [/(DuePayableAmount>)0.00/, '$1none']],
  [
    'BR-16',
    'domestic',
    [/<ram:IncludedSupplyChainTradeLineItem>.*<\/ram:IncludedSupplyChainTradeLineItem>/s, ''],
  ],
  ['BR-21', 'domestic', [/(LineID>)1/, '$1']],
  ['BR-22', 'domestic', [/(BilledQuantity[^>]*>)1/, '$1']],
  ['BR-23', 'domestic', [/ unitCode="C62"/, '']],
  ['BR-24', 'domestic', [/(LineTotalAmount>)243.70/, '$1']],
  ['BR-25', 'domestic', [/(Name>)Business/, '$1']],
  ['BR-26', 'domestic', [/(ChargeAmount>)243.70/, '$1']],
  ['BR-27', 'domestic', [/(ChargeAmount>)243.70/, '$1-243.70']],
  ['BR-29', 'domestic', [/(ApplicableHeaderTradeSettlement>.*StartDateTime>.*?>)20261121/s, '$120270101']],
  ['BR-30', 'domestic', [/(StartDateTime>.*?>)20261121/s, '$120270101']],
  ['BR-49', 'domestic', [/(PaymentMeans>.*?TypeCode>)68/s, '$1']],
  ['BR-53', 'an accounting currency', [/<ram:TaxTotalAmount currencyID="EUR">.*?<\/ram:TaxTotalAmount>/, '']],
  ['BR-55', 'a partial refund', [/(InvoiceReferencedDocument>.*?IssuerAssignedID>)INV-2026-00042/s, '$1']],
  ['BR-62', 'domestic', [/ schemeID="EM"/, '']],
  ['BR-63', 'domestic', [/(BuyerTradeParty>.*?) schemeID="EM"/s, '$1']],
  ['BR-CO-04', 'domestic', [/(CategoryCode>)S/, '$1']],
  ['BR-CO-09', 'reverse charge', [/FR40303265045/, '40303265045']],
  ['BR-CO-10', 'domestic', [/(LineTotalAmount>)243.70/, '$1243.71']],
  ['BR-CO-13', 'domestic', [/(TaxBasisTotalAmount>)243.70/, '$1243.71']],
  ['BR-CO-14', 'domestic', [/(TaxTotalAmount[^>]*>)46.30/, '$146.31']],
  ['BR-CO-15', 'domestic', [/(GrandTotalAmount>)290.00/, '$1290.01']],
  ['BR-CO-16', 'domestic', [/(DuePayableAmount>)0.00/, '$10.01']],
  ['BR-CO-17', 'domestic', [/(CalculatedAmount>)46.30/, '$147.31']],
  ['BR-CO-18', 'domestic', [/(<ram:ApplicableTradeTax>\s*<ram:Calc.*?<\/ram:ApplicableTradeTax>)/s, '']],
  ['BR-CO-26', 'a seller with only a name and an address', [/(SellerTradeParty>\s*<ram:ID>).*?</, '$1<']],
  ['BR-S-01', 'domestic', [/(CalculatedAmount>.*CategoryCode>)S/s, '$1Z']],
  ['BR-S-02', 'domestic', [/<ram:SpecifiedTaxRegistration>.*<\/ram:SpecifiedTaxRegistration>/s, '']],
  ['BR-S-05', 'domestic', [/(RateApplicablePercent>)19/g, '$10']],
  ['BR-S-08', 'domestic', [/(BasisAmount>)243.70/, '$1243.69']],
  ['BR-S-09', 'domestic', [/(RateApplicablePercent>)19/g, '$120']],
  ['BR-S-10', 'domestic', [/(<ram:BasisAmount>)/, '<ram:ExemptionReason>None</ram:ExemptionReason>$1']],
];
for (const [category, sample] of [
  ['Z', 'a rate of zero'],
  ['E', 'exempt'],
  ['AE', 'reverse charge'],
  ['O', 'outside the EU'],
] as const) {
  const needsReason = category !== 'Z';
  faults.push(
    [
      `BR-${category}-01`,
      sample,
      [new RegExp(`(CalculatedAmount>.*CategoryCode>)${category}<`, 's'), '$1S<'],
    ],
    [
      `BR-${category}-05`,
      sample,
      category === 'O'
        ? [
            /(<ram:CategoryCode>O<\/ram:CategoryCode>)/,
            '$1<ram:RateApplicablePercent>0</ram:RateApplicablePercent>',
          ]
        : [/(RateApplicablePercent>)0/, '$119'],
    ],
    [`BR-${category}-08`, sample, [/(BasisAmount>)290.00/, '$1290.01']],
    [`BR-${category}-09`, sample, [/(CalculatedAmount>)0.00/, '$10.01']],
    [
      `BR-${category}-10`,
      sample,
      needsReason
        ? [/<ram:ExemptionReason(Code)?>.*?<\/ram:ExemptionReason(Code)?>/g, '']
        : [/(<ram:BasisAmount>)/, '<ram:ExemptionReason>None</ram:ExemptionReason>$1'],
    ],
  );
  const registrations = /<ram:SpecifiedTaxRegistration>.*?<\/ram:SpecifiedTaxRegistration>/gs;
  if (category === 'O')
    faults.push(
      ['BR-O-02', sample, [/schemeID="FC"/, 'schemeID="VA"']],
      [
        'BR-O-11',
        sample,
        [
          /(<ram:ApplicableTradeTax>\s*<ram:Calc.*?<\/ram:ApplicableTradeTax>)/s,
          '$1<ram:ApplicableTradeTax><ram:CalculatedAmount>0.00</ram:CalculatedAmount></ram:ApplicableTradeTax>',
        ],
      ],
    );
  else faults.push([`BR-${category}-02`, sample, [registrations, '']]);
}

test.each(faults)('%s is broken by a change to the document “%s”', (rule, sample, [find, replace]) => {
  const xml = xmlOf(invoiceDocuments[sample]!);
  expect(brokenIds(parsed(xml.replace(find, replace)))).toContain(rule);
});

test('every rule is broken by one of the changes', () => {
  expect(businessRules.map(({ id }) => id).filter((id) => !faults.some(([rule]) => rule === id))).toEqual([]);
});

test('an empty document breaks rules', () => {
  expect(brokenIds({ name: 'rsm:CrossIndustryInvoice', attributes: {}, children: [], text: '' })).toContain(
    'BR-16',
  );
});

test('the reverse charge needs the VAT ID of the buyer', () => {
  const { buyer } = invoiceDocuments['reverse charge']!;
  const document = { ...invoiceDocuments['reverse charge']!, buyer: { ...buyer, vatId: '' } };
  expect(() => xmlOf(document)).toThrow('BR-AE-02');
});

test('a tax id without the prefix of a country is not a VAT ID', () => {
  const seller = { ...domestic.seller, taxNumber: '', vatId: '51824753556' };
  const xml = xmlOf({ ...domestic, seller, buyer: { ...domestic.buyer, vatId: 'ZZ1' } });
  expect(xml).toContain('<ram:ID schemeID="FC">51824753556</ram:ID>');
  expect(xml).not.toContain('"VA"');
});

test('Kosovo has the country code that the standard uses', () => {
  expect(xmlOf({ ...domestic, buyer: { ...domestic.buyer, countryCode: 'XK' } })).toContain(
    '<ram:CountryID>1A<',
  );
});

test('text that looks like markup stays text, and characters that XML cannot hold are left out', () => {
  const xml = xmlOf(invoiceDocuments['hostile text']!);
  expect(xml).not.toContain('<script');
  expect(xml).not.toContain('\u0007');
  expect(serialize(parsed(xml))).toBe(xml);
});

test('equal documents give the same file', () => {
  expect(xmlOf(domestic)).toBe(xmlOf(structuredClone(domestic)));
});
