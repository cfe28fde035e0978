import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bodies, readBody } from './billing-request.js';
import type { PlanRecord } from './catalog.js';
import { operation, type RestContext, wantsRepresentation } from './context.js';
import { ApiError, type Link } from './errors.js';
import { linksAt } from './resources.js';
import type { SubscriptionRecord } from './subscriptions.js';

/** For this long, a repeated request gets the first answer. */
const keptForMs = 72 * 3_600_000;
const creation = { repeatedStatus: 200, keptForMs } as const;

/** An array if the query contains the parameter several times. */
type ListParameter = string | string[];
const valuesOf = (parameter: ListParameter) => [parameter].flat().flatMap((part) => part.split(','));

type IdRoute = { Params: { id: string } };
type ListRoute = {
  Querystring: {
    page?: string;
    page_size?: string;
    total_required?: string;
    product_id?: string;
    plan_ids?: ListParameter;
  };
};

export function registerProducts(
  api: FastifyInstance,
  { paypal, authenticate, answerOnce }: RestContext,
): void {
  const { rest } = paypal;
  const path = '/v1/catalogs/products';

  api.post(path, operation('products'), (request, reply) =>
    answerOnce(request, reply, creation, ({ merchantId }) => {
      const product = rest.addProduct(merchantId, readBody(bodies.product, request.body));
      return wantsRepresentation(request)
        ? rest.billingResources.product(product)
        : rest.billingResources.briefProduct(product);
    }),
  );
  api.get<ListRoute>(path, operation('products'), (request) => {
    const { merchantId } = authenticate(request);
    const found = rest.catalog.products.filter((product) => product.merchantId === merchantId);
    const list = pageOf(request, found, rest.origin);
    return {
      products: list.shown.map((product) => rest.billingResources.briefProduct(product)),
      ...list.envelope,
    };
  });
  api.get<IdRoute>(`${path}/:id`, operation('products'), (request) =>
    rest.billingResources.product(
      rest.catalog.getProduct(request.params.id, authenticate(request).merchantId),
    ),
  );
}

export function registerPlans(api: FastifyInstance, { paypal, authenticate, answerOnce }: RestContext): void {
  const { rest } = paypal;
  const path = '/v1/billing/plans';
  const getPlan = (request: FastifyRequest) =>
    rest.catalog.getPlan((request.params as IdRoute['Params']).id, authenticate(request).merchantId);
  const planResource = (request: FastifyRequest, plan: PlanRecord) =>
    wantsRepresentation(request) ? rest.billingResources.plan(plan) : rest.billingResources.briefPlan(plan);

  api.post(path, operation('plans'), (request, reply) =>
    answerOnce(request, reply, creation, ({ merchantId }) =>
      planResource(request, rest.addPlan(merchantId, readBody(bodies.plan, request.body))),
    ),
  );
  api.get<ListRoute>(path, operation('plans'), (request) => {
    const { merchantId } = authenticate(request);
    const { product_id: productId, plan_ids: ids } = request.query;
    const found = rest.catalog.plans.filter(
      (plan) =>
        plan.merchantId === merchantId &&
        (productId === undefined || plan.productId === productId) &&
        (ids === undefined || valuesOf(ids).includes(plan.id)),
    );
    const list = pageOf(request, found, rest.origin);
    return { plans: list.shown.map((plan) => planResource(request, plan)), ...list.envelope };
  });
  api.get<IdRoute>(`${path}/:id`, operation('plans'), (request) =>
    rest.billingResources.plan(getPlan(request)),
  );
  for (const [action, status] of [
    ['activate', 'ACTIVE'],
    ['deactivate', 'INACTIVE'],
  ] as const) {
    api.post<IdRoute>(`${path}/:id/${action}`, operation('plans'), async (request, reply) => {
      rest.catalog.setPlanStatus(getPlan(request), status);
      return reply.code(204).send();
    });
  }
}

export function registerSubscriptions(api: FastifyInstance, context: RestContext): void {
  const { paypal, authenticate, answerOnce } = context;
  const { rest, ledger } = paypal;
  const path = '/v1/billing/subscriptions';
  const getSubscription = (request: FastifyRequest, notFoundDescription?: string) =>
    rest.subscriptions.get(
      (request.params as IdRoute['Params']).id,
      authenticate(request).merchantId,
      notFoundDescription,
    );
  const subscriptionResource = (record: SubscriptionRecord, fields?: string[]) =>
    rest.billingResources.subscription(record, rest.subscriptions.planOf(record), fields);

  api.post(path, operation('subscriptions.create'), (request, reply) =>
    answerOnce(request, reply, creation, ({ merchantId }) => {
      const subscriptionRequest = readBody(bodies.subscription, request.body);
      const record = rest.subscriptions.create(merchantId, subscriptionRequest);
      return wantsRepresentation(request)
        ? subscriptionResource(record, [])
        : rest.billingResources.briefSubscription(record);
    }),
  );
  api.get<IdRoute & { Querystring: { fields?: ListParameter } }>(
    `${path}/:id`,
    operation('subscriptions.get'),
    (request) => subscriptionResource(getSubscription(request), valuesOf(request.query.fields ?? [])),
  );
  api.post<IdRoute>(`${path}/:id/revise`, operation('subscriptions.revise'), (request) => {
    const record = getSubscription(request, 'Requested resource ID was not found.');
    const proposal = rest.subscriptions.revise(record, readBody(bodies.revision, request.body));
    return rest.billingResources.revision(record, proposal);
  });
  api.post<IdRoute>(`${path}/:id/capture`, operation('subscriptions.capture'), (request, reply) =>
    answerOnce(request, reply, { firstStatus: 200, repeatedStatus: 200, keptForMs }, () => {
      const { amount } = readBody(bodies.capture, request.body);
      return rest.billingResources.transaction(rest.subscriptions.capture(getSubscription(request), amount));
    }),
  );
  api.get<IdRoute & { Querystring: Record<string, string> }>(
    `${path}/:id/transactions`,
    operation('subscriptions.transactions'),
    (request) => {
      const { id } = getSubscription(request);
      const [from, to] = [readTime(request.query, 'start_time'), readTime(request.query, 'end_time')];
      const found = ledger.list({ subscriptionId: id }).filter(({ entries: [first] }) => {
        return first!.at >= from && first!.at <= to;
      });
      return {
        transactions: found.map((payment) => rest.billingResources.transaction(payment)),
        total_items: found.length,
        total_pages: 1,
        links: selfLinks(request, rest.origin),
      };
    },
  );
  registerStatusChanges(api, context, getSubscription);
}

function registerStatusChanges(
  api: FastifyInstance,
  { paypal }: RestContext,
  getSubscription: (request: FastifyRequest) => SubscriptionRecord,
): void {
  const { subscriptions } = paypal.rest;
  const registerAction = (
    action: 'suspend' | 'activate' | 'cancel',
    work: (record: SubscriptionRecord, body: unknown) => void,
  ) =>
    api.post<IdRoute>(
      `/v1/billing/subscriptions/:id/${action}`,
      operation(`subscriptions.${action}`),
      async (request, reply: FastifyReply) => {
        work(getSubscription(request), request.body);
        return reply.code(204).send();
      },
    );
  registerAction('suspend', (record, body) =>
    subscriptions.suspend(record, readBody(bodies.reason, body).reason),
  );
  registerAction('cancel', (record, body) =>
    subscriptions.cancel(record, readBody(bodies.reason, body).reason),
  );
  registerAction('activate', (record, body) =>
    subscriptions.activate(record, readBody(bodies.activation, body).reason ?? null),
  );
}

/** `envelope` is the rest of the answer: the totals, if they were asked for, and the link to this page of the list. */
function pageOf<T>(
  request: FastifyRequest,
  found: T[],
  origin: string,
): { shown: T[]; envelope: { total_items?: number; total_pages?: number; links: Link[] } } {
  const query = request.query as ListRoute['Querystring'];
  const size = Math.min(Math.max(Number(query.page_size) || 10, 1), 20);
  const page = Math.max(Number(query.page) || 1, 1);
  const totals = { total_items: found.length, total_pages: Math.ceil(found.length / size) };
  return {
    shown: found.slice((page - 1) * size, page * size),
    envelope: { ...(query.total_required === 'true' && totals), links: selfLinks(request, origin) },
  };
}

const selfLinks = (request: FastifyRequest, origin: string) => [linksAt(origin).link(request.url, 'self')];

function readTime(query: Record<string, string>, name: string): number {
  const text = query[name];
  const time = Date.parse(text ?? '');
  const [issue, description] =
    text === undefined
      ? ['MISSING_REQUIRED_PARAMETER', 'A required field is missing.']
      : ['INVALID_PARAMETER_SYNTAX', 'The value of a field does not conform to the expected format.'];
  if (Number.isNaN(time))
    throw new ApiError('INVALID_REQUEST', [{ issue, description, field: `/${name}`, location: 'query' }]);
  return time;
}
