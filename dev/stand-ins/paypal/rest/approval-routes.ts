import type { FastifyInstance, FastifyReply } from 'fastify';
import { formActionSelf, formActionSelfAnd, sendPage } from '../../shared/page.js';
import { buyerOf } from '../checkout-routes.js';
import { approvalPage, approvedPage, unavailablePage } from '../pages/approval-page.js';
import { displayAmount } from '../pages/checkout-page.js';
import type { OrderPaymentMethod } from '../model.js';
import type { PayPal } from '../paypal.js';
import { Refusal } from '../refusal.js';
import { formOf } from '../requests.js';
import type { OrderRecord } from './orders.js';
import { captureStatus } from './resources.js';
import { cancelUrlOf } from './rest.js';

const orderPaymentMethods: readonly string[] = [
  'balance',
  'card',
  'declined',
  'echeck',
  'review',
  'refused',
] satisfies OrderPaymentMethod[];

export function registerApproval(app: FastifyInstance, paypal: PayPal): void {
  const { rest, merchants } = paypal;
  const show = (reply: FastifyReply, order: OrderRecord, submitted = {}, refusal?: Refusal) => {
    const page = approvalPage({
      order,
      merchant: merchants.get(order.merchantId),
      cancelUrl: cancelUrlOf(order),
      submitted,
      refusal,
    });
    return sendPage(reply, page, formActionSelfAnd(order.request.returnUrl));
  };
  const showCaptured = (reply: FastifyReply, order: OrderRecord) => {
    const declined = captureStatus[rest.paymentOf(order)!.standing] === 'DECLINED';
    return sendPage(reply, unavailablePage(declined ? 'captureDeclined' : 'paid', order), formActionSelf);
  };

  app.get<{ Querystring: { token?: string } }>('/checkoutnow', (request, reply) => {
    const order = rest.orders.find(request.query.token ?? '');
    if (!order) return sendPage(reply.code(404), unavailablePage('expired'), formActionSelf);
    if (order.captureId !== null) return showCaptured(reply, order);
    return show(reply, order);
  });

  app.post<{ Querystring: { token?: string } }>('/checkoutnow', (request, reply) => {
    const order = rest.orders.find(request.query.token ?? '');
    if (!order) return sendPage(reply.code(404), unavailablePage('expired'), formActionSelf);
    if (order.captureId !== null) return showCaptured(reply.code(409), order);
    const submitted = formOf(request);
    try {
      const method = submitted.method ?? 'balance';
      if (!orderPaymentMethods.includes(method)) throw new Refusal(400, 'Choose a payment method.', 'method');
      const returnUrl = rest.approveOrder(order.id, method as OrderPaymentMethod, buyerOf(submitted));
      if (returnUrl === null || submitted.action === 'close')
        return sendPage(reply, approvedPage(amountOf(order)), formActionSelf);
      return reply.redirect(returnUrl, 303);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return show(reply.code(error.status), order, submitted, error);
    }
  });
}

const amountOf = ({ request: { amount } }: OrderRecord) => displayAmount(amount.minor, amount.currency);
