import { z } from 'zod';
import { recordMeta, updated } from './answers.js';
import { allDetails, countryCode, taxMode, vatIdState } from './billing-details.contract.js';
import { command, query } from './contract.js';
import { calendarDay, exportQuery } from './inputs.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { sortDirection } from './paging.js';
import { adminsIdempotent, adminsOnly, signedInOnly } from './policy.js';
import { optionalLine, writtenLine } from './text.js';

/** An amount with two decimals, e.g. `"290.00"`. */
const amount = z.string();
/** A calendar day in the seller's time zone, YYYY-MM-DD. */
const day = z.string();
/**
 * The category of EN 16931 (UNTDID 5305). `S`: standard rate. `Z`: a rate of zero. `E`: exempt. `AE`: the buyer owes the tax (reverse charge).
 * `O`: not subject to tax.
 */
export const taxCategory = z.enum(['S', 'Z', 'E', 'AE', 'O']);
export type TaxCategory = z.infer<typeof taxCategory>;

/** Letters, hyphens, dots and slashes only: without digits, series with different prefixes cannot assign the same number. */
const prefix = z
  .string()
  .regex(/^[A-Za-z][A-Za-z./-]{0,9}$/, 'must be 1 to 10 letters, hyphens, dots or slashes, like INV-');

/** The seller and the rules of invoices. */
const settingsFields = {
  /** The seller's registered name. */
  name: optionalLine(200),
  addressLine1: optionalLine(200),
  addressLine2: optionalLine(200),
  postalCode: optionalLine(20),
  city: optionalLine(100),
  countryCode,
  email: optionalLine(254),
  taxNumber: optionalLine(50),
  vatId: optionalLine(20),
  /** The entry in the trade register, e.g. `HRB 12345, Amtsgericht Berlin`. */
  register: optionalLine(200),
  bankAccount: optionalLine(200),
  /** IANA name. Documents are dated in it. */
  timeZone: z.string().refine(isTimeZone, 'must be a time zone like Europe/Berlin').default('UTC'),
  paper: z.enum(['A4', 'Letter']).default('A4'),
  invoicePrefix: prefix.default('INV-'),
  creditNotePrefix: prefix.default('CN-'),
  taxMode: taxMode.default('none'),
  /** The sentence that explains why no tax is charged, if `taxMode` is `none`. */
  exemptionReason: optionalLine(500),
  /** In percent, e.g. `"19"`; empty for the standard rate of the seller's country in the EU. */
  domesticRate: z
    .string()
    .regex(/^(\d{1,2}(\.\d{1,2})?)?$/, 'must be a percentage like 19')
    .default(''),
  /** Whether sales to consumers in other EU countries are above the threshold of 10,000 EUR a year, so their countries' rates apply. */
  aboveThreshold: z.boolean().default(false),
  /** The currency in which the tax must be stated too, e.g. `EUR`; empty if there is none. */
  accountingCurrency: z
    .string()
    .regex(/^([A-Z]{3})?$/, 'must be a currency code like EUR')
    .default(''),
  /** What one dollar is worth in the accounting currency, e.g. `"0.9215"`. */
  exchangeRate: z
    .string()
    .regex(/^(\d{1,6}(\.\d{1,6})?)?$/, 'must be a number like 0.9215')
    .default(''),
  /** Whether mails that confirm a payment have the PDF attached; their text links to the list of invoices in any case. */
  attachToMail: z.boolean().default(false),
};

/** The body of `PUT /invoice-settings` and of its preview. */
export const invoiceSettingsInput = z.strictObject({
  ...settingsFields,
  name: writtenLine(200),
  addressLine1: writtenLine(200),
  city: writtenLine(100),
  countryCode: countryCode.unwrap().refine((code) => code !== '', 'is required'),
});
export type InvoiceSettings = z.output<typeof invoiceSettingsInput>;

/** What a form shows before the settings are saved for the first time. */
export const initialInvoiceSettings: InvoiceSettings = z.object(settingsFields).parse({});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

const storedSettings = z.object({
  ...settingsFields,
  /** Payments from this moment on get an invoice; null before the settings are saved for the first time. ISO 8601. */
  issuesFrom: z.string().nullable(),
  /** The rate that an empty `domesticRate` means, in percent; null outside the EU. */
  standardRate: z.string().nullable(),
  /** 0 before they are saved for the first time. */
  version: z.int(),
});
export type StoredInvoiceSettings = z.infer<typeof storedSettings>;

export const invoiceKind = z.enum(['invoice', 'credit_note']);
export type InvoiceKind = z.infer<typeof invoiceKind>;

/** Why a document was issued. `dispute_closed`: the provider gave back what a dispute had taken. `override`: an admin changed the payment status. */
export const invoiceCause = z.enum([
  'payment',
  'refund',
  'dispute',
  'dispute_closed',
  'override',
  'correction',
]);
export type InvoiceCause = z.infer<typeof invoiceCause>;

/**
 * Everything that a document says. It is stored when the document is issued and never changes. The XML is made from it alone; the PDF is made from
 * it and from the picture at `logo`.
 */
export const invoiceDocument = z.object({
  number: z.string(),
  kind: invoiceKind,
  cause: invoiceCause,
  issuedOn: day,
  currency: z.string(),
  /** The name of the site. */
  site: z.string(),
  /** The address of the site's logo, if it was uploaded. Shown instead of the name. */
  logo: z.string().nullable(),
  paper: z.enum(['A4', 'Letter']),
  seller: z.object({
    name: z.string(),
    addressLine1: z.string(),
    addressLine2: z.string(),
    postalCode: z.string(),
    city: z.string(),
    countryCode: z.string(),
    email: z.string(),
    taxNumber: z.string(),
    vatId: z.string(),
    register: z.string(),
    bankAccount: z.string(),
  }),
  buyer: z.object({
    /** `name` is the person. */
    name: z.string(),
    company: z.string(),
    email: z.string(),
    addressLine1: z.string(),
    addressLine2: z.string(),
    postalCode: z.string(),
    city: z.string(),
    countryCode: z.string(),
    vatId: z.string(),
  }),
  /** `placedOn` is the order's `orderDate`, which does not follow the seller's time zone. */
  order: z.object({ number: z.int(), placedOn: day }),
  item: z.object({
    name: z.string(),
    /** The service period of a monthly plan; null if the order has none. */
    period: z.object({ from: day, to: day }).nullable(),
  }),
  tax: z.object({
    category: taxCategory,
    /** In percent, e.g. `"25.5"`; `"0"` if no tax is charged. */
    rate: z.string(),
    /** The sentence that the law requires where no tax is charged; null if a rate applies, even a rate of zero. */
    reason: z.string().nullable(),
    /** The code of that reason in the list VATEX; null if there is none. */
    reasonCode: z.string().nullable(),
  }),
  netCents: z.int(),
  taxCents: z.int(),
  grossCents: z.int(),
  /** The tax in the accounting currency; null if there is no such currency, or no tax. */
  accounting: z.object({ currency: z.string(), rate: z.string(), taxCents: z.int() }).nullable(),
  /** How and when the money came or went back. */
  payment: z.object({ method: z.string(), reference: z.string().nullable(), on: day }).nullable(),
  /** The invoice that a credit note, or the new invoice of a correction, refers to. */
  cites: z.object({ number: z.string(), issuedOn: day }).nullable(),
});
export type InvoiceDocument = z.infer<typeof invoiceDocument>;

/** An invoice or a credit note. */
export const invoice = z.object({
  _id: z.string(),
  number: z.string(),
  kind: invoiceKind,
  cause: invoiceCause,
  issuedOn: day,
  orderId: z.string(),
  orderNumber: z.int(),
  accountId: z.string(),
  /** The company, or else the person. */
  buyerName: z.string(),
  buyerCountry: z.string(),
  /** The buyer as the document shows it. */
  buyer: invoiceDocument.shape.buyer,
  currency: z.string(),
  net: amount,
  tax: amount,
  gross: amount,
  taxCategory,
  taxRate: z.string(),
  /** Of an invoice: what credit notes have not taken back. Of a credit note: 0.00. */
  open: amount,
  /** The invoice that it refers to, as in `InvoiceDocument`. */
  cites: z.object({ _id: z.string(), number: z.string() }).nullable(),
  /** What is known of the buyer's VAT id; null if there is none. */
  vatIdState: vatIdState.nullable(),
  /** `rendering`: the PDF is not ready yet. */
  file: z.enum(['rendering', 'ready']),
  createdAt: recordMeta.createdAt,
});
export type Invoice = z.infer<typeof invoice>;

const filter = z.object({
  kind: invoiceKind.optional(),
  from: calendarDay.optional().describe('First day of issue.'),
  to: calendarDay.optional().describe('Last day of issue.'),
  order: z.uuid({ error: 'is not an order' }).optional().describe('Documents of this order.'),
  customer: z.uuid({ error: 'is not a customer' }).optional().describe('Only documents of this account.'),
  own: z.boolean().optional().describe('Only your own.'),
  direction: sortDirection.default('desc'),
});

const record = invoice.meta({ id: 'Invoice' });

export const invoiceOperations = grouped('Invoices', {
  getInvoiceSettings: relay({
    at: 'GET /invoice-settings',
    pattern: 'orders.invoiceSettings',
    summary: 'The seller’s details and the rules of invoices',
    policy: adminsOnly,
    answer: storedSettings.meta({ id: 'InvoiceSettings' }),
  }),
  updateInvoiceSettings: relay({
    at: 'PUT /invoice-settings',
    pattern: 'orders.updateInvoiceSettings',
    summary: 'Change the seller’s details and the rules of invoices; issued documents stay as they are',
    policy: adminsOnly,
    body: invoiceSettingsInput.meta({ id: 'InvoiceSettingsUpdate' }),
    versioned: true,
    answer: updated(storedSettings),
  }),
  /** The settings need not be saved. Nothing is stored, and no number is used. */
  previewInvoice: operation({
    at: 'POST /invoice-settings/preview',
    summary: 'An example invoice with these settings, as a PDF file',
    policy: adminsOnly,
    body: invoiceSettingsInput.meta({ id: 'InvoicePreview' }),
    status: 200,
    answer: z.undefined(),
    mediaType: 'application/pdf',
    writesReply: true,
  }),
  listInvoices: list({
    at: 'GET /invoices',
    pattern: 'orders.listInvoices',
    summary:
      'The invoices and credit notes that you may see, newest first: your own and those of customers whose billing colleague you are; all of them for an admin',
    policy: signedInOnly,
    filter,
    record,
  }),
  exportInvoices: csvExport({
    at: 'GET /invoices/export',
    summary: 'All invoices and credit notes that pass the filter, as a CSV file',
    query: exportQuery(filter.omit({ own: true })),
  }),
  /** At most 5,000 documents. Throws INVALID_INPUT for more. */
  downloadInvoicesOfMonth: operation({
    at: 'GET /invoices/archive',
    summary: 'All PDFs of a month, as a ZIP file',
    policy: adminsOnly,
    query: z.object({
      month: z.string().regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-11'),
    }),
    answer: z.undefined(),
    mediaType: 'application/zip',
    writesReply: true,
  }),
  getInvoice: relay({
    at: 'GET /invoice/:id',
    pattern: 'orders.invoice',
    summary: 'One invoice or credit note that you may see; others are not found',
    policy: signedInOnly,
    answer: record,
  }),
  /** Throws UNAVAILABLE until the PDF is ready. */
  downloadInvoice: operation({
    at: 'GET /invoice/:id/pdf',
    summary: 'An invoice or credit note as a PDF file that contains the e-invoice (Factur-X)',
    policy: signedInOnly,
    answer: z.undefined(),
    mediaType: 'application/pdf',
    writesReply: true,
    failures: ['NOT_FOUND'],
  }),
  /**
   * Details that are left out, and an empty country, stay as they are. Throws INVALID_TRANSITION for a credit note, and for an invoice that is fully
   * credited.
   */
  correctInvoice: relay({
    at: 'POST /invoice/:id/correction',
    pattern: 'orders.correctInvoice',
    summary: 'Cancel an invoice by a credit note, and issue a new invoice with other details of the buyer',
    policy: adminsIdempotent,
    status: 200,
    body: z
      .strictObject({
        name: writtenLine(300),
        ...allDetails.partial().shape,
      })
      .meta({ id: 'InvoiceCorrection' }),
    answer: z.object({ creditNote: invoice, invoice }).meta({ id: 'CorrectedInvoice' }),
    failures: ['INVALID_TRANSITION'],
  }),
});

export const invoiceContract = {
  ...relayedIn(invoiceOperations),
  /** What the gateway needs to send a PDF to somebody who may have it. Throws NOT_FOUND. */
  getInvoiceFile: query({
    pattern: 'orders.invoiceFile',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: z.object({ _id: z.string(), number: z.string(), file: invoice.shape.file }),
  }),
  /** Has the PDF rendered again, because the storage has lost it. Throws NOT_FOUND. */
  renderInvoice: command({
    pattern: 'orders.renderInvoice',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: z.object({}),
  }),
  /** An example document with these settings. Throws INVALID_INPUT for settings that contradict one another. */
  exampleInvoice: query({
    pattern: 'orders.exampleInvoice',
    access: 'admin',
    input: invoiceSettingsInput,
    /** Base64. */
    output: z.object({ pdf: z.string() }),
  }),
  /**
   * The newest invoice of an order, for a mail that it is attached to; null if there is none, or if its PDF is not ready. The pattern is an older
   * name, like that of `orderContract.getForService`.
   */
  getInvoiceForMail: query({
    pattern: 'orders.invoiceTold',
    access: 'system',
    callableBy: ['messaging'],
    input: z.object({ orderId: z.string() }),
    /** The PDF in Base64. */
    output: z.object({ number: z.string(), pdf: z.string() }).nullable(),
  }),
} as const;
