import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, orderContract as contract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { OrderSalesService } from '../totals/order-sales.service.js';
import { OrderListService } from './order-list.service.js';
import { OrderPlacementService } from './order-placement.service.js';
import { OrderService } from './order.service.js';
import { personOf } from './person.js';

type Input<Name extends keyof typeof contract> = HandlerInput<(typeof contract)[Name]>;

@Controller()
export class OrderController {
  constructor(
    private readonly placement: OrderPlacementService,
    private readonly lists: OrderListService,
    private readonly orders: OrderService,
    private readonly orderSales: OrderSalesService,
  ) {}

  @Handles(contract.place)
  place(@Payload() input: Input<'place'>, @Ctx() context: RequestContext) {
    return this.placement.place(input, context);
  }

  @Handles(contract.list)
  list(@Payload() request: Input<'list'>, @Ctx() { actor }: RequestContext) {
    return this.lists.list(request, personOf(actor));
  }

  @Handles(contract.order)
  item(@Payload() { id }: Input<'order'>, @Ctx() { actor }: RequestContext) {
    return this.orders.item(id, personOf(actor));
  }

  @Handles(contract.getForMail)
  getForMail(@Payload() { id }: Input<'getForMail'>) {
    return this.orders.getForMail(id);
  }

  @Handles(contract.timeline)
  timeline(@Payload() { id }: Input<'timeline'>, @Ctx() { actor }: RequestContext) {
    return this.orders.timeline(id, personOf(actor));
  }

  @Handles(contract.summary)
  summary(@Payload() { own }: Input<'summary'>, @Ctx() { actor }: RequestContext) {
    return this.orders.summary(own, personOf(actor));
  }

  @Handles(contract.sales)
  sales(@Payload() range: Input<'sales'>) {
    return this.orderSales.sales(range);
  }

  @Handles(contract.unpaidAges)
  unpaidAges() {
    return this.orderSales.unpaidAges();
  }

  @Handles(contract.setPaymentStatus)
  setPaymentStatus(@Payload() input: Input<'setPaymentStatus'>, @Ctx() context: RequestContext) {
    return this.orders.setPaymentStatus(input, context);
  }

  @Handles(contract.setOrderStatus)
  setOrderStatus(@Payload() input: Input<'setOrderStatus'>, @Ctx() context: RequestContext) {
    return this.orders.setOrderStatus(input, context);
  }

  @Handles(contract.setPaymentStatuses)
  setPaymentStatuses(@Payload() input: Input<'setPaymentStatuses'>, @Ctx() context: RequestContext) {
    return this.orders.setPaymentStatuses(input, context);
  }

  @Handles(contract.setOrderStatuses)
  setOrderStatuses(@Payload() input: Input<'setOrderStatuses'>, @Ctx() context: RequestContext) {
    return this.orders.setOrderStatuses(input, context);
  }

  @Handles(contract.cancel)
  cancel(@Payload() input: Input<'cancel'>, @Ctx() context: RequestContext) {
    return this.orders.cancel(input, context);
  }

  @Handles(contract.clearFlags)
  clearFlags(@Payload() input: Input<'clearFlags'>, @Ctx() context: RequestContext) {
    return this.orders.clearFlags(input, context);
  }
}
