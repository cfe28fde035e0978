import { Injectable } from '@nestjs/common';
import {
  type BillingDetails,
  billingDetailsContract,
  type HandlerInputs,
  type TaxQuote,
} from '#libs/contracts';
import { Inbox } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { centsOf, dollarsOf } from '../money/price.js';
import { personOf } from '../access/person.js';
import { PackageOfferService, priceChanged } from '../package/package-offer.service.js';
import { splitGross, taxOnNet } from '../money/tax.js';
import { TaxService } from '../tax/tax.service.js';
import { normalizedVatId } from '../tax/vat-id.js';
import { VatIdService } from '../tax/vat-id.service.js';
import { BillingDetailsRepository } from './billing-details.repository.js';

type Input = HandlerInputs<typeof billingDetailsContract>;

const none: BillingDetails = {
  ...{ company: '', addressLine1: '', addressLine2: '', postalCode: '', city: '' },
  ...{ countryCode: '', vatId: '' },
};

@Injectable()
export class BillingDetailsService {
  constructor(
    private readonly inbox: Inbox,
    private readonly details: BillingDetailsRepository,
    private readonly vatIds: VatIdService,
    private readonly taxes: TaxService,
    private readonly offers: PackageOfferService,
    private readonly clock: Clock,
  ) {}

  @Handles(billingDetailsContract.getBillingDetails)
  async get(_: unknown, { actor }: RequestContext) {
    const { accountId } = personOf(actor);
    return this.view((await this.details.find(accountId)) ?? none);
  }

  @Handles(billingDetailsContract.updateBillingDetails)
  async update(input: Input['updateBillingDetails'], context: RequestContext) {
    const { accountId } = personOf(context.actor);
    const details = normalized(input);
    await this.inbox.once(context, async (tx) => {
      await this.details.save(tx, { accountId, details, updatedAt: this.clock.now() });
      return {};
    });
    return this.view(details);
  }

  /** Throws PRICE_CHANGED for a price that the package does not have. */
  @Handles(billingDetailsContract.quoteTax)
  async quote({
    packageName,
    packagePrice,
    customerCountry,
    billingDetails,
  }: Input['quoteTax']): Promise<TaxQuote> {
    const cents = centsOf(packagePrice);
    // The content service is asked only if the stored offer does not match.
    let offer = await this.offers.findStored(packageName);
    if (offer?.cents !== cents) offer = await this.offers.findLatest(packageName);
    if (offer?.cents !== cents) throw priceChanged(offer);
    const billing = billingDetails ? normalized(billingDetails) : null;
    const { mode, treatment } = await this.taxes.treatmentToday({ billing, customerCountry });
    const { rate, reason } = treatment ?? { rate: '0', reason: null };
    const tax = mode === 'exclusive' ? taxOnNet(cents, rate) : splitGross(cents, rate).taxCents;
    const total = mode === 'exclusive' ? cents + tax : cents;
    return { mode, net: dollarsOf(total - tax), tax: dollarsOf(tax), total: dollarsOf(total), rate, reason };
  }

  private async view(details: BillingDetails) {
    const { vatId } = details;
    const issuesInvoices = (await this.taxes.findInvoiceSettings()) !== null;
    const vatIdState = vatId === '' ? null : await this.vatIds.readStateAndQueueCheck(vatId);
    return { ...details, vatIdState, offered: issuesInvoices };
  }
}

function normalized(details: BillingDetails): BillingDetails {
  return { ...details, vatId: normalizedVatId(details.vatId) };
}
