import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type HandlerInputs,
  invoiceContract,
  type InvoiceDocument,
  type Output,
  paymentProvider,
} from '#libs/contracts';
import { Handles } from '#libs/transport';
import { InvoiceRenderingService } from '../invoice-file/invoice-rendering.service.js';
import { totalCents } from '../money/tax.js';
import { BillingClock } from '../payment/billing-clock.js';
import { SellerService } from '../site/seller.service.js';
import { taxTreatment } from '../tax/tax-rule.js';
import { normalizedVatId } from '../tax/vat-id.js';
import { invoiceDraft, type Issuer } from './invoice-document.js';
import { dayIn, numberOf } from './invoice-number.js';
import { faultsOf, throwIfFaults } from './invoice-settings.service.js';

const examplePriceCents = 29_000;

@Injectable()
export class InvoicePreviewService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sellers: SellerService,
    private readonly rendering: InvoiceRenderingService,
    private readonly billing: BillingClock,
  ) {}

  /** Throws INVALID_INPUT. Stores nothing, and takes no number from a series. */
  @Handles(invoiceContract.getExampleInvoice)
  async example(
    input: HandlerInputs<typeof invoiceContract>['getExampleInvoice'],
  ): Promise<Output<typeof invoiceContract.getExampleInvoice>> {
    const settings = { ...input, vatId: normalizedVatId(input.vatId) };
    throwIfFaults(faultsOf(settings));
    const { manager } = this.dataSource;
    const site = (await this.sellers.currentName(manager)) ?? settings.name;
    const issuer = { settings, site, logo: await this.sellers.currentLogo(manager) };
    const document = exampleDocument(issuer, this.billing.now());
    return { pdf: (await this.rendering.render(document)).toString('base64') };
  }
}

function exampleDocument(issuer: Issuer, now: Date): InvoiceDocument {
  const { settings } = issuer;
  const today = dayIn(settings.timeZone, now);
  const buyer = {
    ...{ name: 'Alex Example', company: 'Example Company', email: 'alex@example.com', vatId: '' },
    ...{ addressLine1: '1 Example Street', addressLine2: '', postalCode: '12345', city: 'Example City' },
    countryCode: settings.countryCode,
  };
  const { rate } = taxTreatment(settings, { ...buyer, vatIdState: null }, today);
  const addedTaxRate = settings.taxMode === 'exclusive' ? rate : '0';
  const draft = invoiceDraft(
    issuer,
    {
      ...{ buyer, vatIdState: null, day: today, order: { number: 1042, placedOn: today } },
      item: { name: 'Example package', period: null },
      grossCents: totalCents({ priceCents: examplePriceCents, addedTaxRate }),
    },
    { cause: 'payment', payment: { method: paymentProvider.label, reference: null, on: today }, cites: null },
  );
  const number = numberOf('invoice', settings, { year: Number(today.slice(0, 4)), sequence: 1 });
  return { ...draft, number, issuedOn: today };
}
