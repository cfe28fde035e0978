import type { FastifyInstance, FastifyReply } from 'fastify';
import { refuseForeignForm } from '../../shared/guard.js';
import { formsBackTo, ownForms, sendPage } from '../../shared/page.js';
import { buyerOf } from '../checkout-routes.js';
import { approvalPage, approvedPage, unavailablePage } from '../pages/approval-page.js';
import { displayAmount } from '../pages/checkout-page.js';
import type { Approval } from '../model.js';
import type { PayPal } from '../paypal.js';
import { Refusal } from '../refusal.js';
import { formOf } from '../requests.js';
import type { OrderRecord } from './orders.js';
import { captureStatus } from './resources.js';
import { cancelUrl } from './rest.js';

const approvals: readonly string[] = [
  'balance',
  'card',
  'declined',
  'echeck',
  'review',
  'refused',
] satisfies Approval[];

/** The pages on which a buyer approves an order of the REST API. */
export function registerApproval(app: FastifyInstance, paypal: PayPal): void {
  const { rest, merchants } = paypal;
  const show = (reply: FastifyReply, order: OrderRecord, typed = {}, refusal?: Refusal) => {
    const page = approvalPage({
      order,
      merchant: merchants.get(order.merchantId),
      cancelUrl: cancelUrl(order),
      typed,
      refusal,
    });
    return sendPage(reply, page, formsBackTo(order.request.returnUrl));
  };
  const showCaptured = (reply: FastifyReply, order: OrderRecord) => {
    const declined = captureStatus[rest.paymentOf(order)!.standing] === 'DECLINED';
    return sendPage(reply, unavailablePage(declined ? 'declined' : 'paid', order), ownForms);
  };

  app.get<{ Querystring: { token?: string } }>('/checkoutnow', (request, reply) => {
    const order = rest.orders.find(request.query.token ?? '');
    if (!order) return sendPage(reply.code(404), unavailablePage('expired'), ownForms);
    if (order.captureId !== null) return showCaptured(reply, order);
    return show(reply, order);
  });

  app.post<{ Querystring: { token?: string } }>('/checkoutnow', (request, reply) => {
    refuseForeignForm(request);
    const order = rest.orders.find(request.query.token ?? '');
    if (!order) return sendPage(reply.code(404), unavailablePage('expired'), ownForms);
    if (order.captureId !== null) return showCaptured(reply.code(409), order);
    const typed = formOf(request);
    try {
      const by = typed.method ?? 'balance';
      if (!approvals.includes(by)) throw new Refusal(400, 'Choose a payment method.', 'method');
      const back = rest.approve(order.id, by as Approval, buyerOf(typed));
      if (back === null || typed.action === 'close')
        return sendPage(reply, approvedPage(amountOf(order)), ownForms);
      return reply.redirect(back, 303);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return show(reply.code(error.status), order, typed, error);
    }
  });
}

const amountOf = ({ request: { amount } }: OrderRecord) => displayAmount(amount.minor, amount.currency);
