import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { invoiceFileName, createInvoiceStorage } from '#libs/file-storage';
import { run } from '../../../dev/commands/invoices/command.js';
import { elementOf } from '../invoice-file/invoice-xml.js';
import { pdfOf } from '../invoice-file/invoice-pdf.js';
import { serialize } from '../invoice-file/xml-element.js';
import { domestic, invoiceDocuments } from './invoice-documents.js';

/** One rule in the form of the official rules of EN 16931, whose file is not part of this project. */
const rules = `<xsl:stylesheet version="2.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:svrl="http://purl.oclc.org/dsdl/svrl"
  xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100">
  <xsl:template match="/">
    <svrl:schematron-output>
      <xsl:for-each select="//ram:SpecifiedTradeSettlementHeaderMonetarySummation">
        <svrl:fired-rule/>
        <xsl:if test="not(number(ram:GrandTotalAmount) = number(ram:TaxBasisTotalAmount) + number(ram:TaxTotalAmount[1]))">
          <svrl:failed-assert id="BR-CO-15"><svrl:text>[BR-CO-15]-The gross amount is wrong.</svrl:text></svrl:failed-assert>
        </xsl:if>
      </xsl:for-each>
    </svrl:schematron-output>
  </xsl:template>
</xsl:stylesheet>`;

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invoices-validate-'));
  await writeFile(file('rules.xslt'), rules);
  // `xmlOf` is not used, because it would refuse the invoice of `wrong.pdf`.
  const pdf = (document: typeof domestic) => pdfOf(document, serialize(elementOf(document)));
  await writeFile(file('right.pdf'), await pdf(domestic));
  await writeFile(file('wrong.pdf'), await pdf({ ...domestic, grossCents: 29_001 }));
  await writeFile(file('other.pdf'), await pdfOf(domestic, '<invoice/>'));
  await writeFile(file('malformed.pdf'), await pdfOf(domestic, '<invoice'));
  const stream = '<< /Type /EmbeddedFile /Filter /FlateDecode >>\nstream\nnot compressed\nendstream';
  await writeFile(file('damaged.pdf'), `1 0 obj\n${stream}\nendobj`);
  const storage = createInvoiceStorage({ IMAGES_DIR: join(folder, 'data', 'images'), IMAGES_S3_REGION: '' });
  for (const [index, document] of Object.values(invoiceDocuments).entries()) {
    const id = `019a0000-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`;
    await storage.put(id, [{ name: invoiceFileName, body: await pdf(document) }]);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function validate(...args: string[]) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const env = { DATA_DIR: join(folder, 'data') };
  const code = await run(args, { root: folder, env, print, printError: print });
  return { code, output: lines.join('\n') };
}

test('valid e-invoices are listed with the number of rules that applied', async () => {
  expect(await validate('--rules', file('rules.xslt'), file('right.pdf'))).toEqual({
    code: 0,
    output: 'right.pdf  INV-2026-00042 is valid (rules applied: 1)\n1 checked, 0 not valid.',
  });
});

test('the command fails, and says which files break a rule, cannot be read, or are not covered by the rules', async () => {
  const { code, output } = await validate('--rules', file('rules.xslt'), '--folder', folder);
  expect(code).toBe(1);
  expect(output).toContain('wrong.pdf  INV-2026-00042\n    [BR-CO-15]-The gross amount is wrong.');
  expect(output).toContain('other.pdf   is not an e-invoice that the rules cover');
  expect(output).toContain('damaged.pdf  cannot be read: ');
  expect(output).toContain('malformed.pdf  cannot be read: ');
  expect(output).toContain('right.pdf  INV-2026-00042 is valid');
});

test.each(['wrong.pdf', 'other.pdf', 'damaged.pdf', 'malformed.pdf'])(
  'the command fails because of %s alone',
  async (name) => {
    const { code, output } = await validate('--rules', file('rules.xslt'), file('right.pdf'), file(name));
    expect([code, output.split('\n').at(-1)]).toEqual([1, '2 checked, 1 not valid.']);
  },
);

test('without files, all invoices of the storage are checked', async () => {
  const { code, output } = await validate('--rules', file('rules.xslt'));
  expect(output.split('\n').at(-1)).toBe(`${Object.keys(invoiceDocuments).length} checked, 0 not valid.`);
  expect(code).toBe(0);
});

test.each([
  ['no rules', []],
  ['an unknown option', ['--rules', 'x', '--all']],
  ['both a folder and files', ['--rules', 'x', '--folder', 'y', 'z.pdf']],
])('the usage is printed for %s', async (_what, args) => {
  expect(await validate(...args)).toEqual({
    code: 1,
    output: expect.stringContaining('Usage: npm run invoices'),
  });
});

test('missing files are named', async () => {
  const { code, output } = await validate('--rules', file('nowhere.xslt'));
  expect([code, output]).toEqual([1, expect.stringContaining('nowhere.xslt')]);
  const missing = await validate('--rules', file('rules.xslt'), file('nowhere.pdf'));
  expect(missing).toEqual({ code: 1, output: expect.stringContaining('nowhere.pdf') });
});
