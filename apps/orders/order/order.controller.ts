import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  type BulkOutcome,
  type HandlerInput,
  type Order,
  orderContract,
  type OrdersSales,
  type OrdersSummary,
  type Output,
  type PageOf,
  type TimelineEntry,
  type UnpaidAge,
} from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { OrderSalesService } from '../totals/order-sales.service.js';
import { OrderListService } from './order-list.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { OrderService } from './order.service.js';
import { personOf } from './person.js';

type Changed = Output<typeof orderContract.cancel>;

@Controller()
export class OrderController {
  constructor(
    private readonly placement: OrderPlacementService,
    private readonly lists: OrderListService,
    private readonly orders: OrderService,
    private readonly orderSales: OrderSalesService,
  ) {}

  @Handles(orderContract.place)
  place(
    @Payload() body: HandlerInput<typeof orderContract.place>,
    @Ctx() context: RequestContext,
  ): Promise<Order> {
    return this.placement.place(body, context);
  }

  @Handles(orderContract.list)
  list(
    @Payload() request: HandlerInput<typeof orderContract.list>,
    @Ctx() { actor }: RequestContext,
  ): Promise<PageOf<Order>> {
    return this.lists.list(request, personOf(actor));
  }

  @Handles(orderContract.order)
  item(
    @Payload() { id }: HandlerInput<typeof orderContract.order>,
    @Ctx() { actor }: RequestContext,
  ): Promise<Order> {
    return this.orders.item(id, personOf(actor));
  }

  @Handles(orderContract.getForMail)
  getForMail(
    @Payload() { id }: HandlerInput<typeof orderContract.getForMail>,
  ): Promise<Output<typeof orderContract.getForMail>> {
    return this.orders.getForMail(id);
  }

  @Handles(orderContract.timeline)
  timeline(
    @Payload() { id }: HandlerInput<typeof orderContract.timeline>,
    @Ctx() { actor }: RequestContext,
  ): Promise<TimelineEntry[]> {
    return this.orders.timeline(id, personOf(actor));
  }

  @Handles(orderContract.summary)
  summary(
    @Payload() { own }: HandlerInput<typeof orderContract.summary>,
    @Ctx() { actor }: RequestContext,
  ): Promise<OrdersSummary> {
    return this.orders.summary(own, personOf(actor));
  }

  @Handles(orderContract.sales)
  sales(@Payload() range: HandlerInput<typeof orderContract.sales>): Promise<OrdersSales> {
    return this.orderSales.sales(range);
  }

  @Handles(orderContract.unpaidAges)
  unpaidAges(): Promise<UnpaidAge[]> {
    return this.orderSales.unpaidAges();
  }

  @Handles(orderContract.setPaymentStatus)
  setPaymentStatus(
    @Payload() input: HandlerInput<typeof orderContract.setPaymentStatus>,
    @Ctx() context: RequestContext,
  ): Promise<Changed> {
    return this.orders.setPaymentStatus(input, context);
  }

  @Handles(orderContract.setOrderStatus)
  setOrderStatus(
    @Payload() input: HandlerInput<typeof orderContract.setOrderStatus>,
    @Ctx() context: RequestContext,
  ): Promise<Changed> {
    return this.orders.setOrderStatus(input, context);
  }

  @Handles(orderContract.setPaymentStatuses)
  setPaymentStatuses(
    @Payload() input: HandlerInput<typeof orderContract.setPaymentStatuses>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.orders.setPaymentStatuses(input, context);
  }

  @Handles(orderContract.setOrderStatuses)
  setOrderStatuses(
    @Payload() input: HandlerInput<typeof orderContract.setOrderStatuses>,
    @Ctx() context: RequestContext,
  ): Promise<BulkOutcome> {
    return this.orders.setOrderStatuses(input, context);
  }

  @Handles(orderContract.cancel)
  cancel(
    @Payload() input: HandlerInput<typeof orderContract.cancel>,
    @Ctx() context: RequestContext,
  ): Promise<Changed> {
    return this.orders.cancel(input, context);
  }

  @Handles(orderContract.clearFlags)
  clearFlags(
    @Payload() input: HandlerInput<typeof orderContract.clearFlags>,
    @Ctx() context: RequestContext,
  ): Promise<Changed> {
    return this.orders.clearFlags(input, context);
  }
}
