import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formActionSelf, formActionSelfAnd, sendPage } from '../../shared/page.js';
import { buyerOf } from '../checkout-routes.js';
import type { FundingSource } from '../model.js';
import { approvedPage, unavailablePage } from '../pages/approval-page.js';
import { autopayPage, priceWords, subscriptionApprovalPage } from '../pages/subscription-pages.js';
import type { PayPal } from '../paypal.js';
import { Refusal } from '../refusal.js';
import { formOf } from '../requests.js';
import { ApiError } from './errors.js';

const fundingSources: readonly string[] = ['ok', 'declined', 'echeck'] satisfies FundingSource[];

type IdRoute = { Params: { id: string } };
type ApprovalRoute = { Querystring: { ba_token?: string } };

export function registerBillingPages(app: FastifyInstance, paypal: PayPal): void {
  const { subscriptions } = paypal.rest;
  for (const path of ['/webapps/billing/subscriptions', '/webapps/billing/subscriptions/update']) {
    app.get<ApprovalRoute>(path, (request, reply) => showApproval(paypal, request.query.ba_token, reply));
    app.post<ApprovalRoute>(path, (request, reply) =>
      approve(paypal, request.query.ba_token, request, reply),
    );
  }

  const subscriptionPath = '/myaccount/autopay/connect/:id';
  app.get('/myaccount/autopay', (_request, reply) => sendPage(reply, autopayPage(paypal), formActionSelf));
  app.get<IdRoute>(subscriptionPath, (request, reply) =>
    sendPage(
      reply,
      autopayPage(paypal, subscriptions.getOfAnyMerchant(request.params.id).id),
      formActionSelf,
    ),
  );
  app.post<IdRoute>(subscriptionPath, (request, reply) => {
    const record = subscriptions.getOfAnyMerchant(request.params.id);
    try {
      const form = formOf(request);
      if (form.action === 'cancel') subscriptions.cancel(record, 'Cancelled by the buyer.');
      else subscriptions.setFundingSource(record, fundingSourceOf(form));
      return reply.redirect(request.url, 303);
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof ApiError)) throw error;
      const message = error instanceof ApiError ? error.details[0]!.description : error.message;
      return sendPage(reply.code(error.status), autopayPage(paypal, record.id, message), formActionSelf);
    }
  });
}

function showApproval(
  paypal: PayPal,
  token: string | undefined,
  reply: FastifyReply,
  submitted: Record<string, string> = {},
  refusal?: Refusal,
): FastifyReply {
  const { subscriptions, catalog } = paypal.rest;
  const record = subscriptions.findByToken(token ?? '');
  if (!record) return sendPage(reply.code(404), unavailablePage('approvedOrWithdrawn'), formActionSelf);
  const proposal = record.proposal!;
  const page = subscriptionApprovalPage({
    record,
    proposal,
    plan: catalog.getPlan(proposal.planId, record.merchantId),
    currentPlan: record.status === 'APPROVAL_PENDING' ? undefined : subscriptions.planOf(record),
    merchant: paypal.merchants.get(record.merchantId),
    submitted,
    refusal,
  });
  return sendPage(reply, page, formActionSelfAnd(proposal.context?.returnUrl));
}

function approve(
  paypal: PayPal,
  token: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { subscriptions } = paypal.rest;
  const record = subscriptions.findByToken(token ?? '');
  if (!record) return showApproval(paypal, token, reply);
  const submitted = formOf(request);
  try {
    const returnUrl = subscriptions.approve(record, {
      fund: fundingSourceOf(submitted),
      buyer: buyerOf(submitted),
    });
    // The second button, 'Agree, then close the window', approves without a return to the shop.
    if (returnUrl !== null && submitted.action !== 'close') return reply.redirect(returnUrl, 303);
    return sendPage(reply, approvedPage(priceWords(subscriptions.planOf(record))), formActionSelf);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return showApproval(paypal, token, reply.code(error.status), submitted, error);
  }
}

function fundingSourceOf({ method = 'ok' }: Record<string, string>): FundingSource {
  if (!fundingSources.includes(method)) throw new Refusal(400, 'Choose a payment method.', 'method');
  return method as FundingSource;
}
