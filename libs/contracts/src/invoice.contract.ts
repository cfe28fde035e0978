import { z } from 'zod';
import { recordMeta, updated } from './answers.js';
import { allBillingDetails, countryCode, taxMode, vatIdState } from './billing-details.contract.js';
import { command, query } from './contract.js';
import { calendarDay, exportQuery } from './inputs.js';
import { csvExport, grouped, list, operation, relay, relayedIn } from './operation.js';
import { sortDirection } from './paging.js';
import { adminsIdempotent, adminsOnly, signedInOnly } from './policy.js';
import { optionalLine, requiredLine } from './text.js';

/** With two decimals, e.g. `"290.00"`. */
const amount = z.string();
/** YYYY-MM-DD in the seller's time zone. */
const day = z.string();
/**
 * EN 16931 (UNTDID 5305). `S` ('standard rate'): any rate above zero. `Z`: a rate of zero. `E`: exempt. `AE`: the buyer owes the tax (reverse
 * charge). `O`: not subject to tax.
 */
export const taxCategory = z.enum(['S', 'Z', 'E', 'AE', 'O']);
export type TaxCategory = z.infer<typeof taxCategory>;

/** Has no digits, so that series with different prefixes cannot assign the same number. */
const prefix = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z./-]{0,9}$/,
    'must begin with a letter, and have at most 10 letters, hyphens, dots or slashes, like INV-',
  );

const settingsFields = {
  /** The registered name. */
  name: optionalLine(200),
  addressLine1: optionalLine(200),
  addressLine2: optionalLine(200),
  postalCode: optionalLine(20),
  city: optionalLine(100),
  countryCode,
  email: optionalLine(254),
  taxNumber: optionalLine(50),
  vatId: optionalLine(20),
  /** The register of companies and the number in it, e.g. `HRB 12345, Amtsgericht Berlin`. */
  register: optionalLine(200),
  bankAccount: optionalLine(200),
  /** IANA name, for the dates of documents. */
  timeZone: z.string().refine(isTimeZone, 'must be a time zone like Europe/Berlin').default('UTC'),
  paper: z.enum(['A4', 'Letter']).default('A4'),
  invoicePrefix: prefix.default('INV-'),
  creditNotePrefix: prefix.default('CN-'),
  taxMode: taxMode.default('none'),
  /** Why no tax is charged, if `taxMode` is `none`. */
  exemptionReason: optionalLine(500),
  /** In percent; empty for the standard rate of the seller's country in the EU. */
  domesticRate: z
    .string()
    .regex(/^(\d{1,2}(\.\d{1,2})?)?$/, 'must be a percentage like 19')
    .default(''),
  /** Whether sales to consumers in other EU countries exceed 10,000 EUR a year, so that those countries' rates apply. */
  aboveThreshold: z.boolean().default(false),
  /** The currency of the seller's tax returns, in which documents also state the tax; empty if it is the currency of the prices. */
  accountingCurrency: z
    .string()
    .regex(/^([A-Z]{3})?$/, 'must be a currency code like EUR')
    .default(''),
  /** What one dollar is worth in the accounting currency. */
  exchangeRate: z
    .string()
    .regex(/^(\d{1,6}(\.\d{1,6})?)?$/, 'must be a number like 0.9215')
    .default(''),
  /** Whether mails that confirm a payment have the PDF attached. */
  attachToMail: z.boolean().default(false),
};

export const invoiceSettingsInput = z.strictObject({
  ...settingsFields,
  name: requiredLine(200),
  addressLine1: requiredLine(200),
  city: requiredLine(100),
  countryCode: countryCode.unwrap().refine((code) => code !== '', 'is required'),
});
export type InvoiceSettings = z.output<typeof invoiceSettingsInput>;

/** The settings before they are first saved. */
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
  /** Payments from this moment on get an invoice. ISO 8601; null before the settings are first saved. */
  issuesFrom: z.string().nullable(),
  /** What an empty `domesticRate` means, in percent; null outside the EU. */
  standardRate: z.string().nullable(),
  /** 0 before the settings are first saved. */
  version: z.int(),
});
export type StoredInvoiceSettings = z.infer<typeof storedSettings>;

export const invoiceKind = z.enum(['invoice', 'credit_note']);
export type InvoiceKind = z.infer<typeof invoiceKind>;

/** `dispute_closed`: the provider gave back what a dispute had taken. `override`: an admin changed the payment status. */
export const invoiceCause = z.enum([
  'payment',
  'refund',
  'dispute',
  'dispute_closed',
  'override',
  'correction',
]);
export type InvoiceCause = z.infer<typeof invoiceCause>;

/** Everything that the document says. The e-invoice (XML) is made from this alone, the PDF also from the picture at `logo`. */
export const invoiceDocument = z.object({
  number: z.string(),
  kind: invoiceKind,
  cause: invoiceCause,
  issuedOn: day,
  currency: z.string(),
  /** The site's name. */
  site: z.string(),
  /** Shown instead of `site`; null unless the site has an uploaded logo. */
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
    /** The person's name. */
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
    /** The service period of a monthly plan. */
    period: z.object({ from: day, to: day }).nullable(),
  }),
  tax: z.object({
    category: taxCategory,
    /** In percent; `"0"` if no tax is charged. */
    rate: z.string(),
    /** Required by law where no tax is charged; null if a rate applies, even zero. */
    reason: z.string().nullable(),
    /** The reason's code in VATEX, the code list of reasons for charging no VAT. */
    reasonCode: z.string().nullable(),
  }),
  netCents: z.int(),
  taxCents: z.int(),
  grossCents: z.int(),
  /** Null without an accounting currency, or without tax. */
  accounting: z.object({ currency: z.string(), rate: z.string(), taxCents: z.int() }).nullable(),
  /** How and when the money came or went back; null if the document belongs to no movement of money. */
  payment: z.object({ method: z.string(), reference: z.string().nullable(), on: day }).nullable(),
  /** The invoice that a credit note, or the new invoice of a correction, refers to. */
  cites: z.object({ number: z.string(), issuedOn: day }).nullable(),
});
export type InvoiceDocument = z.infer<typeof invoiceDocument>;

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
  buyer: invoiceDocument.shape.buyer,
  currency: z.string(),
  net: amount,
  tax: amount,
  gross: amount,
  taxCategory,
  taxRate: z.string(),
  /** Of an invoice: what credit notes have not taken back. Of a credit note: 0.00. */
  open: amount,
  cites: z.object({ _id: z.string(), number: z.string() }).nullable(),
  /** Null without a VAT ID. */
  vatIdState: vatIdState.nullable(),
  /** `rendering`: the PDF is not ready yet. */
  file: z.enum(['rendering', 'ready']),
  createdAt: recordMeta.createdAt,
});
export type Invoice = z.infer<typeof invoice>;

const filter = z.object({
  kind: invoiceKind.optional(),
  from: calendarDay.optional().describe('Documents issued on this day and later, YYYY-MM-DD.'),
  to: calendarDay.optional().describe('Documents issued on this day and earlier, YYYY-MM-DD.'),
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
  /** Nothing is stored, and no number is used. */
  previewInvoice: operation({
    at: 'POST /invoice-settings/preview',
    summary: 'An example invoice with these settings, as a PDF file',
    policy: adminsOnly,
    body: invoiceSettingsInput.meta({ id: 'InvoicePreview' }),
    answer: z.undefined(),
    mediaType: 'application/pdf',
    writesReply: true,
  }),
  listInvoices: list({
    at: 'GET /invoices',
    pattern: 'orders.listInvoices',
    summary:
      'The invoices and credit notes that you may see, newest first: your own and those of customers in whose team you have the role `billing`; all of them for an admin',
    policy: signedInOnly,
    filter,
    record,
  }),
  exportInvoices: csvExport({
    at: 'GET /invoices/export',
    summary: 'All invoices and credit notes that pass the filter, as a CSV file',
    query: exportQuery(filter.omit({ own: true })),
  }),
  /** Throws UNAVAILABLE until all PDFs are ready; INVALID_INPUT for more than 5,000 documents. */
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
  /** Keeps details that are left out, and the country if it is empty. Throws INVALID_TRANSITION for a credit note or a fully credited invoice. */
  correctInvoice: relay({
    at: 'POST /invoice/:id/correction',
    pattern: 'orders.correctInvoice',
    summary: 'Cancel an invoice by a credit note, and issue a new invoice with other details of the buyer',
    policy: adminsIdempotent,
    body: z
      .strictObject({
        name: requiredLine(300),
        ...allBillingDetails.partial().shape,
      })
      .meta({ id: 'InvoiceCorrection' }),
    answer: z.object({ creditNote: invoice, invoice }).meta({ id: 'CorrectedInvoice' }),
    failures: ['INVALID_TRANSITION'],
  }),
});

export const invoiceContract = {
  ...relayedIn(invoiceOperations),
  /** Tells whether a PDF is ready to be sent. Throws NOT_FOUND, also for a document that the caller may not see. */
  getInvoiceFileState: query({
    pattern: 'orders.invoiceFile',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: z.object({ _id: z.string(), number: z.string(), file: invoice.shape.file }),
  }),
  /** Queues the rendering of a PDF that the storage has lost. Throws NOT_FOUND. */
  renderInvoice: command({
    pattern: 'orders.renderInvoice',
    access: 'customer',
    input: z.object({ id: z.string() }),
    output: z.object({}),
  }),
  /** Throws INVALID_INPUT for wrong or contradictory settings. */
  getExampleInvoice: query({
    pattern: 'orders.exampleInvoice',
    access: 'admin',
    input: invoiceSettingsInput,
    /** Base64. */
    output: z.object({ pdf: z.string() }),
  }),
  /**
   * The newest invoice of an order; null without one, if its PDF is not ready, or if an invoice of the order has yet to be issued. The pattern keeps
   * its older name, because services of the previous version call it.
   */
  findInvoiceForMail: query({
    pattern: 'orders.invoiceTold',
    access: 'system',
    callableBy: ['messaging'],
    input: z.object({ orderId: z.string() }),
    /** `pdf` is in base64. */
    output: z.object({ number: z.string(), pdf: z.string() }).nullable(),
  }),
} as const;
