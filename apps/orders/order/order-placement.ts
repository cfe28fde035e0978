import { Injectable } from '@nestjs/common';
import { DomainError, type Order, type OrderInput, orderPlaced } from '#libs/contracts';
import { Inbox, OneStatement, Outbox, uuidv7 } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { type Offer, PackageOffers } from '../package/package-offers.js';
import { orderDay } from './order-date.js';
import type { OrderEntity } from './order.entity.js';
import { orderView } from './order.view.js';
import { type Person, personOf } from './person.js';
import { centsOf } from '../money/price.js';

/** The package is still offered at that price. */
const condition = `EXISTS (SELECT 1 FROM packages WHERE name = $7 AND price = $8 AND NOT deleted)`;

const effects = `
  placed AS (
    INSERT INTO orders (id, account_id, customer_name, customer_email, customer_address, customer_country,
      package_name, package_price, price_cents, order_date, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8, $9::bigint, $10::date, $11::timestamptz, $11::timestamptz FROM claimed
  ), noted AS (
    INSERT INTO order_timeline (id, order_id, at, kind, text, by, evidence)
    SELECT $12::uuid, $1::uuid, $11::timestamptz, 'placed', 'The order was placed.', $4, $13::jsonb FROM claimed
  )`;

/** Takes orders at the price of the package, in one statement each. */
@Injectable()
export class OrderPlacement {
  constructor(
    private readonly inbox: Inbox,
    private readonly oneStatement: OneStatement,
    private readonly outbox: Outbox,
    private readonly offers: PackageOffers,
  ) {}

  /** FORBIDDEN for another person's e-mail address, PRICE_CHANGED for what is not on offer. */
  async place(input: OrderInput, context: RequestContext): Promise<Order> {
    const person = personOf(context.actor);
    if (input.customerEmail.toLowerCase() !== person.email.toLowerCase()) {
      throw new DomainError('FORBIDDEN', {}, 'You can only order with your own e-mail address.');
    }
    const placed = await this.placeIfOffered(
      await this.offers.known(input.packageName),
      person,
      input,
      context,
    );
    if (placed) return placed;
    // Whoever repeats a command gets the answer of the first time, whatever has become of the price.
    const before = await this.inbox.replyTo<Order>(context);
    if (before) return before;
    const offer = await this.offers.latest(input.packageName);
    const placedNow = await this.placeIfOffered(offer, person, input, context);
    if (placedNow) return placedNow;
    const current = offer && { packageName: offer.name, packagePrice: offer.price };
    throw new DomainError('PRICE_CHANGED', { current: current ?? null });
  }

  private async placeIfOffered(
    offer: Offer | undefined,
    person: Person,
    input: OrderInput,
    context: RequestContext,
  ): Promise<Order | undefined> {
    if (!offer || offer.cents !== centsOf(input.packagePrice)) return undefined;
    const now = new Date();
    const order = {
      id: uuidv7(),
      accountId: person.accountId,
      customerName: input.customerName,
      customerEmail: person.email,
      customerAddress: input.customerAddress,
      customerCountry: input.customerCountry,
      packageName: offer.name,
      packagePrice: offer.price,
      priceCents: offer.cents,
      orderDate: orderDay(input.orderDate, now),
      createdAt: now,
      updatedAt: now,
    };
    const reply = orderView({ ...order, ...asPlaced }, 'customer', null);
    const evidence = { packageName: offer.name, packagePrice: offer.price };
    const happened = { orderId: order.id, accountId: order.accountId, version: asPlaced.version };
    return this.oneStatement.once(context, {
      name: 'place-order',
      condition,
      effects,
      parameters: [
        ...[order.id, order.accountId],
        ...[order.customerName, order.customerEmail, order.customerAddress, order.customerCountry],
        ...[order.packageName, order.packagePrice, order.priceCents, order.orderDate, now],
        ...[uuidv7(), JSON.stringify(evidence)],
      ],
      reply,
      event: this.outbox.row(orderPlaced, happened, context),
    });
  }
}

/** What a new order begins with; the table's defaults say the same. */
const asPlaced = {
  orderStatus: 'Pending',
  providerState: 'unpaid',
  payments: [],
  refundedCents: 0,
  disputedCents: 0,
  paidTwice: false,
  override: null,
  cancelled: false,
  cancelledBy: null,
  paymentStatus: 'UnPaid',
  paymentState: 'unpaid',
  flags: [],
  version: 1,
} satisfies Partial<OrderEntity>;
