import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CallInput, orderContract } from '#libs/contracts';
import { type CallOptions, RpcClient } from '#libs/transport';
import { sendCsv } from '../csv/csv-download.js';
import { Caller } from '../policy/caller.js';
import { IfMatch } from '../policy/if-match.js';
import { createdAnswer, updatedAnswer } from '../routing/acknowledged.js';
import { ParsedBody } from '../routing/body.js';
import { Serves } from '../routing/endpoint.js';
import { listAnswer } from '../routing/listing.js';
import { ParsedQuery } from '../routing/query.js';
import { exportOrdersEndpoint, orderColumns } from './order.csv.js';
import {
  cancelOrderEndpoint,
  clearFlagsEndpoint,
  getOrderEndpoint,
  listOrdersEndpoint,
  placeOrderEndpoint,
  salesEndpoint,
  setOrderStatusEndpoint,
  setOrderStatusesEndpoint,
  setPaymentStatusEndpoint,
  setPaymentStatusesEndpoint,
  summaryEndpoint,
  timelineEndpoint,
  unpaidAgesEndpoint,
} from './order.endpoints.js';

type OrderBody = CallInput<typeof orderContract.place>['body'];
type ListQuery = CallInput<typeof orderContract.list>;
type SalesQuery = Partial<CallInput<typeof orderContract.sales>> &
  Pick<CallInput<typeof orderContract.sales>, 'by'>;
type SummaryQuery = CallInput<typeof orderContract.summary>;
type PaymentStatusBody = Pick<CallInput<typeof orderContract.setPaymentStatus>, 'paymentStatus'>;
type OrderStatusBody = Pick<CallInput<typeof orderContract.setOrderStatus>, 'orderStatus'>;

type PaymentStatusesBody = CallInput<typeof orderContract.setPaymentStatuses>;
type OrderStatusesBody = CallInput<typeof orderContract.setOrderStatuses>;

const dayMs = 86_400_000;
/** Before the last one. */
const usualDays = 29;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

@Controller()
export class OrderController {
  constructor(private readonly rpc: RpcClient) {}

  @Serves(placeOrderEndpoint)
  async place(@Body(new ParsedBody(placeOrderEndpoint)) body: OrderBody, @Caller() caller: CallOptions) {
    return createdAnswer(await this.rpc.call(orderContract.place, { body }, caller));
  }

  @Serves(listOrdersEndpoint)
  async list(
    @Query(new ParsedQuery(listOrdersEndpoint)) query: ListQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Caller() caller: CallOptions,
  ) {
    return listAnswer(await this.rpc.call(orderContract.list, query, caller), request, reply);
  }

  @Serves(exportOrdersEndpoint)
  export(
    @Query(new ParsedQuery(exportOrdersEndpoint)) query: ListQuery,
    @Res() reply: FastifyReply,
    @Caller() caller: CallOptions,
  ): Promise<void> {
    return sendCsv(reply, 'orders', orderColumns, (part) =>
      this.rpc.call(orderContract.list, { ...query, ...part }, caller),
    );
  }

  @Serves(summaryEndpoint)
  summary(@Query(new ParsedQuery(summaryEndpoint)) query: SummaryQuery, @Caller() caller: CallOptions) {
    return this.rpc.call(orderContract.summary, query, caller);
  }

  @Serves(salesEndpoint)
  sales(@Query(new ParsedQuery(salesEndpoint)) query: SalesQuery, @Caller() caller: CallOptions) {
    const { to = dayOf(Date.now()), by } = query;
    const { from = dayOf(Date.parse(to) - usualDays * dayMs) } = query;
    return this.rpc.call(orderContract.sales, { from, to, by }, caller);
  }

  @Serves(unpaidAgesEndpoint)
  unpaidAges(@Caller() caller: CallOptions) {
    return this.rpc.call(orderContract.unpaidAges, {}, caller);
  }

  @Serves(getOrderEndpoint)
  item(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(orderContract.order, { id }, caller);
  }

  @Serves(timelineEndpoint)
  timeline(@Param('id') id: string, @Caller() caller: CallOptions) {
    return this.rpc.call(orderContract.timeline, { id }, caller);
  }

  @Serves(setPaymentStatusEndpoint)
  async setPaymentStatus(
    @Param('id') id: string,
    @Body(new ParsedBody(setPaymentStatusEndpoint)) { paymentStatus }: PaymentStatusBody,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    const input = { id, paymentStatus, ifVersion };
    return updatedAnswer(await this.rpc.call(orderContract.setPaymentStatus, input, caller));
  }

  @Serves(setOrderStatusEndpoint)
  async setOrderStatus(
    @Param('id') id: string,
    @Body(new ParsedBody(setOrderStatusEndpoint)) { orderStatus }: OrderStatusBody,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    const input = { id, orderStatus, ifVersion };
    return updatedAnswer(await this.rpc.call(orderContract.setOrderStatus, input, caller));
  }

  @Serves(setPaymentStatusesEndpoint)
  setPaymentStatuses(
    @Body(new ParsedBody(setPaymentStatusesEndpoint)) body: PaymentStatusesBody,
    @Caller() caller: CallOptions,
  ) {
    return this.rpc.call(orderContract.setPaymentStatuses, body, caller);
  }

  @Serves(setOrderStatusesEndpoint)
  setOrderStatuses(
    @Body(new ParsedBody(setOrderStatusesEndpoint)) body: OrderStatusesBody,
    @Caller() caller: CallOptions,
  ) {
    return this.rpc.call(orderContract.setOrderStatuses, body, caller);
  }

  @Serves(cancelOrderEndpoint)
  async cancel(
    @Param('id') id: string,
    @Body(new ParsedBody(cancelOrderEndpoint)) _cancelled: object,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(orderContract.cancel, { id, ifVersion }, caller));
  }

  @Serves(clearFlagsEndpoint)
  async clearFlags(
    @Param('id') id: string,
    @IfMatch() ifVersion: number | undefined,
    @Caller() caller: CallOptions,
  ) {
    return updatedAnswer(await this.rpc.call(orderContract.clearFlags, { id, ifVersion }, caller));
  }
}
