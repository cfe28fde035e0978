import type { FastifyInstance } from 'fastify';
import { formActionSelf, sendPage } from '../shared/page.js';
import { parsePaymentAmount } from './control-api.js';
import type { PaymentRecord } from './ledger.js';
import type { DisputeStep, Settlement } from './model.js';
import { consolePage, notificationsAbout, paymentPage } from './pages/console-page.js';
import type { PayPal } from './paypal.js';
import { Refusal } from './refusal.js';
import { formOf } from './requests.js';

export function registerConsole(app: FastifyInstance, paypal: PayPal): void {
  app.get<{ Querystring: { invoice?: string } }>('/', (request, reply) => {
    const { invoice } = request.query;
    return sendPage(
      reply,
      consolePage(paypal, typeof invoice === 'string' ? invoice.trim() : undefined),
      formActionSelf,
    );
  });

  app.get<{ Params: { id: string } }>('/console/payments/:id', (request, reply) =>
    sendPage(reply, paymentPage(paypal, paypal.ledger.get(request.params.id)), formActionSelf),
  );

  app.post<{ Params: { id: string } }>('/console/payments/:id', async (request, reply) => {
    const payment = paypal.ledger.get(request.params.id);
    try {
      await act(paypal, payment, formOf(request));
      return reply.redirect(`/console/payments/${payment.transactionId}`, 303);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return sendPage(reply.code(error.status), paymentPage(paypal, payment, error.message), formActionSelf);
    }
  });

  app.post('/console/clock', async (request, reply) => {
    const hours = Number(formOf(request).hours);
    if (![1, 24, 96, 744].includes(hours)) throw new Refusal(400, 'Choose one of the buttons.', 'hours');
    await paypal.timeline.advance(hours * 3_600_000);
    return reply.redirect('/', 303);
  });
}

async function act(paypal: PayPal, payment: PaymentRecord, form: Record<string, string>): Promise<void> {
  const { ledger, notifications } = paypal;
  const { transactionId } = payment;
  const { action = '' } = form;
  switch (action) {
    case 'refund':
      ledger.refund(
        transactionId,
        parsePaymentAmount(paypal, transactionId, form.amount?.trim() || undefined),
      );
      return;
    case 'opened':
    case 'won':
    case 'lost':
      ledger.setDisputeStep(transactionId, action satisfies DisputeStep);
      return;
    case 'Completed':
    case 'Failed':
    case 'Denied':
      ledger.settle(transactionId, action satisfies Settlement);
      return;
    case 'resend': {
      const notification = notificationsAbout(payment, paypal).find(({ id }) => id === form.notification);
      if (!notification) throw new Refusal(404, 'This payment has no such notification.', 'notification');
      await notifications.deliver(notification.id);
      return;
    }
    default:
      throw new Refusal(400, 'Choose one of the buttons.', 'action');
  }
}
