import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { XMLParser } from 'fast-xml-parser';
import sharp from 'sharp';
import type { InvoiceDocument } from '#libs/contracts';
import { utcDayInWords } from '#libs/runtime';
import { attachedXml, pdfObjects } from '../../../dev/commands/invoices/pdf-file.js';
import { domestic, invoiceDocuments } from '../test/invoice-documents.js';
import { pdfTexts } from '../test/pdf-text.js';
import { InvoicePage } from './invoice-page.js';
import { pdfOf } from './invoice-pdf.js';
import { moneyText } from './invoice-wording.js';
import { xmlOf } from './invoice-xml.js';

const render = (document: InvoiceDocument) => pdfOf(document, xmlOf(document));

/** Without spaces, because lines break at them. */
const joined = (texts: string[]) => texts.join('').replaceAll(' ', '');

describe.each(Object.entries(invoiceDocuments))('%s', (_name, document) => {
  let pdf: Buffer;
  beforeAll(async () => {
    pdf = await render(document);
  });

  test('is one page, with all fonts embedded and an output intent', () => {
    const objects = pdfObjects(pdf);
    const ofType = (type: string) =>
      objects.filter(({ dictionary }) => dictionary.includes(`/Type /${type}\n`));
    expect(ofType('Page')).toHaveLength(1);
    const size = document.paper === 'A4' ? '595.28 841.89' : '612 792';
    expect(ofType('Page')[0]!.dictionary).toContain(`/MediaBox [0 0 ${size}]`);
    const fonts = ofType('Font').filter(({ dictionary }) => dictionary.includes('/FontDescriptor'));
    expect(fonts.length).toBeGreaterThanOrEqual(3);
    expect(ofType('FontDescriptor').every(({ dictionary }) => dictionary.includes('/FontFile2'))).toBe(true);
    expect(ofType('FontDescriptor')).toHaveLength(fonts.length);
    expect(
      objects.filter(({ dictionary }) => /\/Subtype \/(Type1|TrueType|Type3)\n/.test(dictionary)),
    ).toEqual([]);
    expect(ofType('OutputIntent')).toHaveLength(1);
  });

  test('contains the e-invoice', () => {
    expect(attachedXml(pdf)).toBe(xmlOf(document));
    const [file] = pdfObjects(pdf).filter(({ dictionary }) => dictionary.includes('/Type /Filespec'));
    expect(file!.dictionary).toContain('/AFRelationship /Alternative');
    expect(file!.dictionary).toContain('(factur-x.xml)');
    const [catalog] = pdfObjects(pdf).filter(({ dictionary }) => dictionary.includes('/Type /Catalog'));
    expect(catalog!.dictionary).toContain(`/AF [${file!.id} 0 R]`);
  });

  test('is the same file each time', async () => {
    expect((await render(structuredClone(document))).equals(pdf)).toBe(true);
  });

  test('says what the e-invoice says', () => {
    const page = joined(pdfTexts(pdf));
    // The 0 is the amount due.
    const amounts = [document.netCents, document.taxCents, document.grossCents, 0];
    for (const amount of amounts) expect(page).toContain(moneyText(amount, document.currency));
    const decimals = [document.netCents, document.taxCents, document.grossCents].map((cents) =>
      (cents / 100).toFixed(2),
    );
    for (const decimal of decimals) expect(attachedXml(pdf)).toContain(`>${decimal}<`);
    expect(page).toContain(document.number);
    expect(page).toContain(joined([utcDayInWords(document.issuedOn)]));
    expect(page).toContain(document.kind === 'invoice' ? 'Invoice' : 'Creditnote');
    if (document.tax.reason) expect(page).toContain(joined([document.tax.reason]));
    if (document.cites) expect(page).toContain(document.cites.number);
    if (document.accounting)
      expect(page).toContain(moneyText(document.accounting.taxCents, document.accounting.currency));
  });
});

test('the metadata says that the file is PDF/A-3b and Factur-X', async () => {
  const pdf = await render(invoiceDocuments['hostile text']!);
  const [metadata] = pdfObjects(pdf).filter(({ dictionary }) => dictionary.includes('/Type /Metadata'));
  const xmp = metadata!.stream.toString();
  const parser = new XMLParser({ ignoreAttributes: true, isArray: (name) => name === 'rdf:Description' });
  const { 'x:xmpmeta': meta } = parser.parse(xmp) as {
    'x:xmpmeta': { 'rdf:RDF': { 'rdf:Description': object[] } };
  };
  const facts = Object.assign({}, ...meta['rdf:RDF']['rdf:Description']) as object;
  expect(facts).toMatchObject({
    'pdfaid:part': 3,
    'pdfaid:conformance': 'B',
    'fx:DocumentType': 'INVOICE',
    'fx:DocumentFileName': 'factur-x.xml',
    'fx:Version': 1,
    'fx:ConformanceLevel': 'EN 16931',
  });
  const { 'pdfaExtension:schemas': extension } = facts as { 'pdfaExtension:schemas': object };
  const described = [...JSON.stringify(extension).matchAll(/"pdfaProperty:name":"(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(described.sort()).toEqual(['ConformanceLevel', 'DocumentFileName', 'DocumentType', 'Version']);
  expect(xmp).toContain('urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#');
});

test('an invoice with the longest texts that can be stored is still one page', async () => {
  const long = (length: number) =>
    'Wirtschaftsprüfungsgesellschaft '.repeat(Math.ceil(length / 32)).slice(0, length);
  const address = {
    addressLine1: long(200),
    addressLine2: 'W'.repeat(200),
    postalCode: long(20),
    city: long(100),
  };
  const draw = jest.spyOn(InvoicePage.prototype, 'draw');
  const pdf = await render({
    ...domestic,
    paper: 'Letter',
    site: long(200),
    seller: {
      ...domestic.seller,
      ...address,
      name: long(200),
      register: long(200),
      bankAccount: 'W'.repeat(200),
      email: `${'w'.repeat(240)}@long.example`,
    },
    buyer: {
      ...domestic.buyer,
      ...address,
      addressLine1: long(1_000),
      name: long(300),
      company: 'W'.repeat(200),
      email: `${'w'.repeat(240)}@a.example`,
      vatId: 'DE'.padEnd(20, '9'),
    },
    item: { ...domestic.item, name: long(10_000) },
    tax: { category: 'E', rate: '0', reason: long(500), reasonCode: null },
    ...{ netCents: 99_999_999_999, taxCents: 0, grossCents: 99_999_999_999 },
    cites: { number: 'ABCDEFGHIJ2026-1234567', issuedOn: '2026-09-30' },
    payment: { ...domestic.payment!, method: long(60), reference: 'W'.repeat(120) },
  });
  // `draw` returns whether everything fits on the page. The normal text size is too large, and the last size that was tried fits.
  expect(draw.mock.results.at(0)!.value).toBe(false);
  expect(draw.mock.results.at(-1)!.value).toBe(true);
  draw.mockRestore();
  expect(pdfObjects(pdf).filter(({ dictionary }) => dictionary.includes('/Type /Page\n'))).toHaveLength(1);
  expect(joined(pdfTexts(pdf))).toContain('Total(USD)$999,999,999.99');
});

test('Greek, Cyrillic and Vietnamese are printed, and characters that no font has are replaced', async () => {
  const name = 'Ελένη Димитър Nguyễn Łódź 株式会社 \u202Egnp\u0007 🚀';
  const pdf = await render({ ...domestic, buyer: { ...domestic.buyer, company: '', name } });
  expect(joined(pdfTexts(pdf))).toContain('ΕλένηДимитърNguyễnŁódź????gnp');
});

// A question mark also replaces characters that a font lacks: `InvoicePage` counts question marks to choose the font.
test('the name of a site is printed in a font that has its letters, even if the name contains a question mark', async () => {
  const pdf = await render({ ...domestic, site: 'Где?' });
  expect(joined(pdfTexts(pdf))).toContain('Где?');
});

describe('the logo', () => {
  const document = { ...domestic, site: 'Another name' };
  const withLogo = (logo: Uint8Array) => pdfOf(document, xmlOf(document), logo);
  const pictures = (pdf: Buffer) =>
    pdfObjects(pdf).filter(({ dictionary }) => dictionary.includes('/Subtype /Image'));
  const picture = sharp({
    create: { width: 800, height: 200, channels: 4, background: { r: 200, g: 54, b: 27, alpha: 0.8 } },
  });

  test('is shown instead of the name', async () => {
    const pdf = await withLogo(await picture.clone().png().toBuffer());
    // One object has the colors of the picture, the other its transparency.
    expect(pictures(pdf)).toHaveLength(2);
    expect(joined(pdfTexts(pdf))).not.toContain('Anothername');
    expect((await withLogo(await picture.clone().png().toBuffer())).equals(pdf)).toBe(true);
    expect(pictures(await withLogo(await picture.clone().jpeg().toBuffer()))).toHaveLength(1);
  });

  test('is left out if it cannot be read', async () => {
    const pdf = await withLogo(Buffer.from('no picture'));
    expect(pictures(pdf)).toEqual([]);
    expect(joined(pdfTexts(pdf))).toContain('Anothername');
  });
});
