import type { FastifyInstance } from 'fastify';
import { formActionSelf, formActionSelfAnd, sendPage } from '../shared/page.js';
import { defaultBuyer, type Submission } from './checkouts.js';
import { pdtFields } from './ipn-message.js';
import { isEmail } from './merchants.js';
import type { Buyer, PaymentMethod } from './model.js';
import { checkoutPage, closedPage, receiptPage } from './pages/checkout-page.js';
import type { PayPal } from './paypal.js';
import type { Purchase } from './purchase.js';
import { Refusal } from './refusal.js';
import { formOf, wantsJson } from './requests.js';
import { paymentView } from './views.js';

const methods: readonly string[] = ['balance', 'card', 'echeck', 'review'] satisfies PaymentMethod[];

export function registerCheckout(app: FastifyInstance, paypal: PayPal): void {
  const { checkouts, ledger, merchants } = paypal;

  app.get<{ Params: { token: string } }>('/checkout/:token', (request, reply) => {
    const session = checkouts.get(request.params.token);
    if (session.transactionId !== null) return reply.redirect(`/checkout/${session.token}/receipt`, 303);
    const merchant = merchants.get(session.purchase.merchantId);
    const page = checkoutPage({ session, merchant });
    return sendPage(reply, page, formActionSelfAnd(session.purchase.returnUrl));
  });

  app.post<{ Params: { token: string } }>('/checkout/:token/pay', (request, reply) => {
    const { token } = request.params;
    const submitted = formOf(request);
    try {
      const payment = checkouts.pay(token, submissionOf(submitted));
      const returnUrl = checkouts.returnUrlOf(payment);
      if (wantsJson(request)) return { payment: paymentView(payment, merchants), returnUrl };
      const { autoReturn } = merchants.get(payment.purchase.merchantId);
      if (autoReturn && returnUrl && !returnsByPost(payment.purchase)) return reply.redirect(returnUrl, 303);
      return reply.redirect(`/checkout/${token}/receipt`, 303);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status === 404 || wantsJson(request)) throw error;
      const session = checkouts.get(token);
      const merchant = merchants.get(session.purchase.merchantId);
      const page = checkoutPage({ session, merchant, submitted, refusal: error });
      return sendPage(reply.code(error.status), page, formActionSelfAnd(session.purchase.returnUrl));
    }
  });

  app.get<{ Params: { token: string } }>('/checkout/:token/receipt', (request, reply) => {
    const session = checkouts.get(request.params.token);
    if (session.transactionId === null) return reply.redirect(`/checkout/${session.token}`, 303);
    const payment = ledger.get(session.transactionId);
    const merchant = merchants.get(payment.purchase.merchantId);
    const returnUrl = checkouts.returnUrlOf(payment);
    const posted = returnsByPost(payment.purchase) ? pdtFields(payment, merchant) : null;
    const page = receiptPage({ session, payment, merchant, returnUrl, posted });
    return sendPage(reply, page, formActionSelfAnd(payment.purchase.returnUrl));
  });

  app.get('/checkout/:token/closed', (_request, reply) => sendPage(reply, closedPage(), formActionSelf));
}

const returnsByPost = ({ returnMethod }: Purchase) => returnMethod === '2';

function submissionOf(submitted: Record<string, string>): Submission {
  const text = (name: string) => trimmed(submitted, name);
  const method = submitted.method ?? 'balance';
  if (!methods.includes(method)) throw new Refusal(400, 'Choose a payment method.', 'method');
  return {
    method: method as PaymentMethod,
    card: text('card'),
    amount: text('amount'),
    itemName: text('itemName'),
    buyer: buyerOf(submitted),
  };
}

const trimmed = (submitted: Record<string, string>, name: string, maxLength = 127) =>
  (submitted[name] ?? '').trim().slice(0, maxLength);

export function buyerOf(submitted: Record<string, string>): Buyer {
  const text = (name: string, maxLength?: number) => trimmed(submitted, name, maxLength);
  const countryCode = (text('countryCode') || defaultBuyer.countryCode).toUpperCase();
  if (!/^[A-Z]{2}$/.test(countryCode)) throw new Refusal(400, 'Enter two letters.', 'countryCode');
  const buyer = {
    firstName: submitted.firstName === undefined ? defaultBuyer.firstName : text('firstName', 64),
    lastName: submitted.lastName === undefined ? defaultBuyer.lastName : text('lastName', 64),
    email: submitted.email === undefined ? defaultBuyer.email : text('email'),
    countryCode,
  };
  for (const field of ['firstName', 'lastName'] as const)
    if (!buyer[field]) throw new Refusal(400, 'Enter a name.', field);
  if (!isEmail(buyer.email)) throw new Refusal(400, 'Enter an e-mail address.', 'email');
  return buyer;
}
