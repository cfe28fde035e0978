import { Injectable } from '@nestjs/common';
import {
  type BillingDetails,
  DomainError,
  type Order,
  orderContract,
  type OrderInput,
  orderPlaced,
} from '#libs/contracts';
import { Inbox, Outbox, uuidv7 } from '#libs/database';
import { Clock } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { centsOf } from '../money/price.js';
import { type Offer, PackageOfferService, priceChanged } from '../package/package-offer.service.js';
import { TaxService } from '../tax/tax.service.js';
import { normalizedVatId } from '../tax/vat-id.js';
import { type Person, personOf } from '../access/person.js';
import { OrderTimelineEntryEntity } from '../timeline/order-timeline-entry.entity.js';
import { orderDay } from './order-date.js';
import { OrderEntity } from './order.entity.js';
import { OrderRepository } from './order.repository.js';
import { orderView } from './order.view.js';

@Injectable()
export class OrderPlacementService {
  constructor(
    private readonly inbox: Inbox,
    private readonly outbox: Outbox,
    private readonly offers: PackageOfferService,
    private readonly orders: OrderRepository,
    private readonly taxes: TaxService,
    private readonly clock: Clock,
  ) {}

  /** Throws FORBIDDEN for another person's e-mail address; PRICE_CHANGED if the package is not on offer at `packagePrice`. */
  @Handles(orderContract.createOrder)
  async place(input: OrderInput, context: RequestContext): Promise<Order> {
    const person = personOf(context.actor);
    if (input.customerEmail.toLowerCase() !== person.email.toLowerCase()) {
      throw new DomainError('FORBIDDEN', {}, 'You can only order with your own e-mail address.');
    }
    // The content service is asked only if the order cannot be placed with the remembered offer.
    const known = await this.offers.findRemembered(input.packageName);
    const placed = await this.placeIfOffered(known, person, input, context);
    if (placed) return placed;
    // A repeated request gets the first reply, even if the price has changed since.
    const firstReply = await this.inbox.findReply<Order>(context);
    if (firstReply) return firstReply;
    const offer = await this.offers.findLatest(input.packageName);
    const placedNow = await this.placeIfOffered(offer, person, input, context);
    if (placedNow) return placedNow;
    throw priceChanged(offer);
  }

  private async placeIfOffered(
    offer: Offer | undefined,
    person: Person,
    input: OrderInput,
    context: RequestContext,
  ): Promise<Order | undefined> {
    if (!offer || offer.cents !== centsOf(input.packagePrice)) return undefined;
    const { termsVersion } = input;
    const order = newOrder(offer, person, input, this.clock.now());
    order.addedTaxRate = await this.taxes.addedRate(order);
    const { id, accountId, version, createdAt: at, packageName, packagePrice } = order;
    const entry = Object.assign(new OrderTimelineEntryEntity(), {
      ...{ id: uuidv7(), orderId: id, at, kind: 'placed', text: placedText(termsVersion) },
      // `byAccount` is not needed here, because the order has the id of the account.
      ...{ by: person.email, byAccount: null },
      evidence: { packageName, packagePrice, ...(termsVersion && { termsVersion }) },
    });
    const event = this.outbox.row(orderPlaced, { orderId: id, accountId, version }, context);
    return this.orders.place(context, { order, entry, reply: orderView(order, 'customer', null), event });
  }
}

function placedText(termsVersion: number | undefined): string {
  return termsVersion
    ? `The order was placed, and version ${termsVersion} of the terms was accepted.`
    : 'The order was placed.';
}

function newOrder(offer: Offer, { accountId, email }: Person, input: OrderInput, now: Date): OrderEntity {
  const { customerName, customerAddress, customerCountry } = input;
  return Object.assign(new OrderEntity(), {
    ...{ id: uuidv7(), accountId, customerName, customerEmail: email, customerAddress, customerCountry },
    ...{ packageName: offer.name, packagePrice: offer.price, priceCents: offer.cents },
    ...{ orderDate: orderDay(input.orderDate, now), createdAt: now, updatedAt: now },
    cycle: input.renews ? 1 : null,
    billing: billingOf(input),
  });
}

function billingOf({ billingDetails }: OrderInput): BillingDetails | null {
  if (!billingDetails || Object.values(billingDetails).every((value) => value === '')) return null;
  return { ...billingDetails, vatId: normalizedVatId(billingDetails.vatId) };
}
