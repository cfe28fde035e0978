import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import pg from 'pg';
import sharp from 'sharp';
import { pricingPackage } from '#libs/content-model';
import type { Image, Invoice, Order } from '#libs/contracts';
import { eventually, sampleBody, type Session, fullTest } from '#libs/testing';
import { attachedXml } from '../../../dev/commands/invoices/pdf-file.js';
import { S3StandIn } from '../../../dev/stand-ins/s3/s3.js';
import type { Problem } from '../problem/problem.js';
import { type SiteOptions, type SiteUnderTest, startSite } from './site.harness.js';

const invoiceSettings = {
  ...{ name: 'Northwind Ltd', addressLine1: '5 Quay Street', city: 'Dublin', countryCode: 'IE' },
  ...{ taxMode: 'inclusive', vatId: 'IE6388047V' },
};

interface Shop {
  site: SiteUnderTest;
  admin: Session;
  customer: Session;
}

async function openShop(options: SiteOptions = {}): Promise<Shop> {
  const site = await startSite({ without: ['messaging', 'projects'], ...options });
  const admin = await site.admin();
  const offered = { ...sampleBody(pricingPackage, 'offered'), packageName: 'Basic', packagePrice: '290.00' };
  await admin.post('/add-pricing', offered);
  expect((await admin.put('/invoice-settings', invoiceSettings)).status).toBe(200);
  return { site, admin, customer: await site.customer() };
}

async function order({ customer }: Shop, customerName = 'Ada Lovelace'): Promise<string> {
  const { json } = await customer.post<Order>('/new-order', {
    ...{ packageName: 'Basic', packagePrice: '290.00', customerName, customerEmail: customer.email },
    ...{ customerAddress: '1 Main Street', customerCountry: 'Ireland' },
  });
  return json._id;
}

async function anInvoice(shop: Shop, customerName?: string): Promise<Invoice> {
  const orderId = await order(shop, customerName);
  await shop.admin.put(`/order/${orderId}`, { paymentStatus: 'Paid' });
  return eventually(async () => {
    const [invoice] = (await shop.admin.get<Invoice[]>(`/invoices?order=${orderId}`)).json;
    expect(invoice?.file).toBe('ready');
    return invoice!;
  });
}

async function download(session: Session, path: string) {
  const answer = await fetch(`${session.url}${path}`, {
    headers: { Authorization: `Bearer ${session.bearer}` },
  });
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

describe('with files in a folder', () => {
  let shop: Shop;
  let invoice: Invoice;
  const folderOf = (id: string) => join(shop.site.filesDir, 'private', 'invoices', id);
  beforeAll(async () => {
    shop = await openShop({ processes: ['orders'] });
    invoice = await anInvoice(shop);
  });
  afterAll(() => shop?.site.stop());

  test.each(['customer', 'admin'] as const)('the PDF can be downloaded by the %s', async (who) => {
    const { status, headers, body } = await download(shop[who], `/invoice/${invoice._id}/pdf`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${invoice.number}.pdf"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(body.equals(await readFile(join(folderOf(invoice._id), 'invoice.pdf')))).toBe(true);
    expect(attachedXml(body)).toContain(`<ram:ID>${invoice.number}</ram:ID>`);
  });

  test('nobody else can download the PDF (with any id), the archive or the CSV, and the PDF is not served as an image', async () => {
    const otherCustomer = await shop.site.customer();
    for (const id of [invoice._id, invoice.orderId, invoice.number, '..', '%2e%2e%2f', shop.site.filesDir]) {
      const { status } = await download(otherCustomer, `/invoice/${encodeURIComponent(id)}/pdf`);
      expect([id, status]).toEqual([id, 404]);
    }
    expect((await shop.site.visitor.get(`/invoice/${invoice._id}/pdf`)).status).toBe(401);
    for (const path of ['/invoices/archive?month=2026-11', '/invoices/export'])
      expect((await download(otherCustomer, path)).status).toBe(403);
    for (const path of [
      `/images/${invoice._id}/invoice.pdf`,
      `/images/private/invoices/${invoice._id}/invoice.pdf`,
      `/images/private%2Finvoices%2F${invoice._id}/invoice.pdf`,
    ])
      expect([path, (await download(shop.admin, path)).status]).toEqual([path, 404]);
  });

  test('the PDF of a later invoice shows the logo that was uploaded', async () => {
    expect(
      (await download(shop.customer, `/invoice/${invoice._id}/pdf`)).body.includes('/Subtype /Image'),
    ).toBe(false);
    const create = { width: 400, height: 100, channels: 3, background: '#c8361b' } as const;
    const body = await sharp({ create }).png().toBuffer();
    const uploaded = await shop.admin.send<Image>('POST', '/images?name=logo.png', { body });
    const { address } = uploaded.json;
    expect((await shop.admin.post('/add-logo', { logo: address })).status).toBe(201);
    // An invoice never changes, so each attempt needs a new one: the orders service may not know the logo yet.
    await eventually(async () => {
      const { _id } = await anInvoice(shop);
      const pdf = await download(shop.customer, `/invoice/${_id}/pdf`);
      expect(pdf.body.includes('/Subtype /Image')).toBe(true);
    });
  });

  test('a file that the storage has lost is rendered again, with the same bytes', async () => {
    const path = `/invoice/${invoice._id}/pdf`;
    const { body: before } = await download(shop.customer, path);
    await rm(folderOf(invoice._id), { recursive: true });
    const missing = await download(shop.customer, path);
    expect([missing.status, missing.headers.get('retry-after')]).toEqual([503, '2']);
    const after = await eventually(async () => {
      const answer = await download(shop.customer, path);
      expect(answer.status).toBe(200);
      return answer.body;
    });
    expect(after.equals(before)).toBe(true);
  });

  test('the PDFs of a month can be downloaded as one archive', async () => {
    const second = await anInvoice(shop);
    const month = second.issuedOn.slice(0, 7);
    const { status, headers, body } = await download(shop.admin, `/invoices/archive?month=${month}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="invoices-${month}.zip"`);
    const files = unzipSync(body);
    const { json: all } = await shop.admin.get<Invoice[]>('/invoices');
    expect(Object.keys(files).sort()).toEqual(all.map(({ number }) => `${number}.pdf`).sort());
    expect(Object.keys(files)).toContain(`${second.number}.pdf`);
    const { body: alone } = await download(shop.admin, `/invoice/${second._id}/pdf`);
    expect(alone.equals(files[`${second.number}.pdf`]!)).toBe(true);
  });

  test('a month without documents gives an empty archive, and an invalid month is refused', async () => {
    const { status, body } = await download(shop.admin, '/invoices/archive?month=1999-01');
    expect([status, unzipSync(body)]).toEqual([200, {}]);
    expect((await download(shop.admin, '/invoices/archive?month=1999-13')).status).toBe(400);
  });

  test('the CSV has the documents that match the filter, and is safe in spreadsheets', async () => {
    const hostile = await anInvoice(shop, '=HYPERLINK("https://evil.example")');
    const { text, status } = await shop.admin.get(`/invoices/export?order=${hostile.orderId}`);
    const [head, row, ...more] = text
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n');
    expect([status, more]).toEqual([200, []]);
    expect(head).toContain('"Number","Kind","Date"');
    expect(row).toContain(`"${hostile.number}","Invoice","${hostile.issuedOn}"`);
    expect(row).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(row).toContain('"USD","235.77","54.23","290.00","S","23"');
    const { text: creditNotes } = await shop.admin.get('/invoices/export?kind=credit_note');
    expect(creditNotes.trim().split('\r\n')).toHaveLength(1);
  });

  test('the preview shows settings that are not saved, stores nothing, and is refused for invalid settings and for customers', async () => {
    const { json: before } = await shop.admin.get<Invoice[]>('/invoices');
    const body = JSON.stringify({
      ...invoiceSettings,
      name: 'Another Name',
      invoicePrefix: 'RE-',
      paper: 'Letter',
    });
    const preview = await fetch(`${shop.site.url}/invoice-settings/preview`, {
      ...{ method: 'POST', body },
      headers: { Authorization: `Bearer ${shop.admin.bearer}`, 'Content-Type': 'application/json' },
    });
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const xml = attachedXml(Buffer.from(await preview.arrayBuffer()));
    expect(xml).toMatch(/<ram:ID>RE-\d{4}-00001<\/ram:ID>/);
    expect(xml).toContain('<ram:Name>Another Name</ram:Name>');
    expect((await shop.admin.get<Invoice[]>('/invoices')).json).toEqual(before);
    // `INV-` is the default prefix of invoices.
    const samePrefix = await shop.admin.post('/invoice-settings/preview', {
      ...invoiceSettings,
      creditNotePrefix: 'INV-',
    });
    expect(samePrefix.status).toBe(400);
    expect((await shop.customer.post('/invoice-settings/preview', invoiceSettings)).status).toBe(403);
  });

  fullTest(
    'every document gets its file, even if the orders service is killed while files are rendered',
    async () => {
      const ids = await Promise.all(Array.from({ length: 12 }, () => order(shop)));
      const { json: known } = await shop.admin.get<Invoice[]>('/invoices?limit=100');
      await shop.admin.put('/orders/payment-status', { ids, paymentStatus: 'Paid' });
      await eventually(async () => {
        expect(await fileStatesOf(shop.site)).toContain('rendering');
      });
      await shop.site.orders[0]!.kill();
      await shop.site.startOrders();
      await eventually(async () => {
        const states = await fileStatesOf(shop.site);
        expect([states.length >= known.length + ids.length, new Set(states)]).toEqual([
          true,
          new Set(['ready']),
        ]);
      });
      const { json: all } = await shop.admin.get<Invoice[]>('/invoices?limit=100');
      // The killed service may have left unfinished folders, whose names begin with a dot.
      const names = await readdir(join(shop.site.filesDir, 'private', 'invoices'));
      expect(names.filter((name) => !name.startsWith('.')).sort()).toEqual(all.map(({ _id }) => _id).sort());
    },
  );
});

describe('with files in a bucket', () => {
  let s3: S3StandIn;
  let shop: Shop;
  beforeAll(async () => {
    const keys = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
    s3 = await S3StandIn.start('files', { region: 'eu-test-1', ...keys });
    const bucket = {
      ...{ IMAGES_S3_URL: s3.url, IMAGES_S3_REGION: 'eu-test-1' },
      ...{ IMAGES_S3_ACCESS_KEY_ID: keys.accessKeyId, IMAGES_S3_SECRET_ACCESS_KEY: keys.secretAccessKey },
    };
    shop = await openShop({ settings: bucket, ordersSettings: bucket });
  });
  afterAll(async () => {
    await shop?.site.stop();
    await s3.stop();
  });

  test('the PDF is stored in the private area as soon as the bucket works again', async () => {
    s3.failureStatus = 503;
    const orderId = await order(shop);
    await shop.admin.put(`/order/${orderId}`, { paymentStatus: 'Paid' });
    const waiting = await eventually(async () => {
      const [invoice] = (await shop.admin.get<Invoice[]>(`/invoices?order=${orderId}`)).json;
      expect(invoice).toBeDefined();
      return invoice!;
    });
    const refused = await download(shop.customer, `/invoice/${waiting._id}/pdf`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    const month = waiting.issuedOn.slice(0, 7);
    const archive = await shop.admin.get<Problem>(`/invoices/archive?month=${month}`);
    expect(archive.status).toBe(503);
    expect(archive.json.detail).toContain(waiting.number);
    s3.failureStatus = undefined;
    const pdf = await eventually(async () => {
      const { status, body } = await download(shop.customer, `/invoice/${waiting._id}/pdf`);
      expect(status).toBe(200);
      return body;
    });
    const key = `private/invoices/${waiting._id}/invoice.pdf`;
    expect([...s3.objects.keys()]).toEqual([key]);
    expect(s3.objects.get(key)).toMatchObject({
      body: pdf,
      type: 'application/pdf',
      cacheControl: 'private, no-store',
    });
  });
});

async function fileStatesOf({ databaseUrls }: SiteUnderTest): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrls.orders });
  await client.connect();
  try {
    const { rows } = await client.query<{ state: string }>('SELECT state FROM invoice_files');
    return rows.map(({ state }) => state);
  } finally {
    await client.end();
  }
}
