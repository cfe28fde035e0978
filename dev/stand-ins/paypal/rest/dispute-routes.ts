import type { FastifyInstance } from 'fastify';
import { operation, type RestContext } from './context.js';
import { notFound } from './errors.js';

interface DisputeQuery {
  disputed_transaction_id?: string;
  page_size?: string;
}

export function registerDisputes(api: FastifyInstance, { paypal, authenticate }: RestContext): void {
  const { rest } = paypal;

  api.get<{ Querystring: DisputeQuery }>('/v1/customer/disputes', operation('disputes.list'), (request) => {
    const { disputed_transaction_id: transactionId, page_size: size = '10' } = request.query;
    const found = rest.listDisputes(authenticate(request).merchantId);
    const items = found.filter(
      ({ payment }) => transactionId === undefined || payment.transactionId === transactionId,
    );
    return {
      items: items
        .slice(0, Math.min(Math.max(Number(size) || 10, 1), 50))
        .map((dispute) => rest.disputeResources.brief(dispute)),
      links: [{ href: `${rest.origin}${request.url}`, rel: 'self', method: 'GET' }],
    };
  });

  api.get<{ Params: { id: string } }>('/v1/customer/disputes/:id', operation('disputes.get'), (request) => {
    const { merchantId } = authenticate(request);
    const dispute = rest.listDisputes(merchantId).find(({ id }) => id === request.params.id);
    if (!dispute) throw notFound();
    return rest.disputeResources.full(dispute);
  });
}
