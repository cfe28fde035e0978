import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newTransactionId } from '../identifiers.js';
import type { NotificationRecord } from '../notifications.js';
import type { App, Webhook } from './apps.js';
import type { RestContext } from './context.js';
import { ApiError } from './errors.js';
import { eventTypeDescriptions, eventTypeResource, isEventType } from './event-types.js';
import { isObject, type JsonObject } from './request-fields.js';
import { iso, linksAt, money } from './resources.js';
import { readWebhook, readWebhookPatch } from './webhook-request.js';

type IdRoute = { Params: { id: string } };

interface EventQuery {
  page_size?: string;
  start_time?: string;
  end_time?: string;
  transaction_id?: string;
  event_type?: string;
}

/** These routes need no `operation(…)`: the rules of `misbehaveApi` treat a call of a route without it as the operation `webhooks`. */
export function registerWebhooks(api: FastifyInstance, context: RestContext): void {
  registerManagement(api, context);
  registerHistory(api, context);
  registerVerificationAndSimulation(api, context);
}

function registerManagement(api: FastifyInstance, { paypal, authenticate }: RestContext): void {
  const { rest } = paypal;
  const path = '/v1/notifications/webhooks';
  const webhookResource = ({ id, url, eventTypes }: Webhook) => {
    const { link } = linksAt(rest.origin);
    return {
      id,
      url,
      event_types: eventTypes.map(eventTypeResource),
      links: [
        link(`${path}/${id}`, 'self'),
        link(`${path}/${id}`, 'update', 'PATCH'),
        link(`${path}/${id}`, 'delete', 'DELETE'),
      ],
    };
  };

  api.get(path, (request) => ({
    webhooks: rest.apps.webhooksOf(authenticate(request).clientId).map(webhookResource),
  }));
  api.post(path, async (request, reply) => {
    const app = authenticate(request);
    const { url, eventTypes } = readWebhook(request.body);
    await rest.certificates.prepare();
    return reply.code(201).send(webhookResource(rest.apps.addWebhook(app, url, eventTypes)));
  });
  api.get<IdRoute>(`${path}/:id`, (request) =>
    webhookResource(rest.apps.getWebhook(authenticate(request), request.params.id)),
  );
  api.patch<IdRoute>(`${path}/:id`, (request) =>
    webhookResource(
      rest.apps.changeWebhook(authenticate(request), request.params.id, readWebhookPatch(request.body)),
    ),
  );
  api.delete<IdRoute>(`${path}/:id`, async (request, reply) => {
    rest.apps.removeWebhook(authenticate(request), request.params.id);
    return reply.code(204).send();
  });
  api.get<IdRoute>(`${path}/:id/event-types`, (request) => ({
    event_types: rest.apps
      .getWebhook(authenticate(request), request.params.id)
      .eventTypes.flatMap((name) => (name === '*' ? Object.keys(eventTypeDescriptions) : [name]))
      .map(eventTypeResource),
  }));
  api.get('/v1/notifications/webhooks-event-types', (request) => {
    authenticate(request);
    return { event_types: Object.keys(eventTypeDescriptions).map(eventTypeResource) };
  });
}

/** Lists the events for the app's webhooks, each once, newest first, and sends them again on request. */
function registerHistory(api: FastifyInstance, { paypal, authenticate }: RestContext): void {
  const { rest, notifications } = paypal;
  const path = '/v1/notifications/webhooks-events';
  const notificationsTo = ({ clientId }: App): NotificationRecord[] => {
    const ids = new Set(rest.apps.webhooksOf(clientId).map(({ id }) => id));
    return notifications.list('webhook', {}).filter(({ webhook }) => ids.has(webhook!.webhookId));
  };
  const getNotificationsOfEvent = (request: FastifyRequest, id: string) => {
    const found = notificationsTo(authenticate(request)).filter(
      ({ webhook, body }) => webhook!.eventId === id && eventIn(body) !== undefined,
    );
    if (found.length === 0) throw new ApiError('INVALID_RESOURCE_ID');
    return found;
  };

  api.get<{ Querystring: EventQuery }>(path, (request) => {
    const query = request.query;
    const from = readTime(query, 'start_time') ?? 0;
    const to = readTime(query, 'end_time') ?? Infinity;
    const found = notificationsTo(authenticate(request)).filter(
      ({ createdAt, about, payment }) =>
        createdAt >= from &&
        createdAt <= to &&
        (query.event_type === undefined || about === query.event_type) &&
        (query.transaction_id === undefined || payment === query.transaction_id),
    );
    const pageSize = Math.min(Math.max(Number(query.page_size) || 10, 1), 300);
    const events = new Map<string, JsonObject>();
    for (const { webhook, body } of found.reverse()) {
      if (events.size >= pageSize) break;
      const event = events.has(webhook!.eventId) ? undefined : eventIn(body);
      if (event) events.set(webhook!.eventId, event);
    }
    return {
      events: [...events.values()],
      count: events.size,
      links: [linksAt(rest.origin).link(request.url, 'self')],
    };
  });
  api.get<IdRoute>(`${path}/:id`, (request) =>
    eventIn(getNotificationsOfEvent(request, request.params.id)[0]!.body),
  );
  api.post<IdRoute>(`${path}/:id/resend`, async (request, reply) => {
    const found = getNotificationsOfEvent(request, request.params.id);
    const webhookIds =
      isObject(request.body) && Array.isArray(request.body.webhook_ids) && request.body.webhook_ids;
    const byWebhook = new Map(found.map((notification) => [notification.webhook!.webhookId, notification]));
    for (const [webhookId, { id }] of byWebhook) {
      if (!webhookIds || webhookIds.includes(webhookId)) void notifications.deliver(id);
    }
    return reply.code(202).send(eventIn(found[0]!.body));
  });
}

/** Undefined if the body is not an event: tests can send any bytes with `sendWebhook`. */
function eventIn(body: string): JsonObject | undefined {
  try {
    const event: unknown = JSON.parse(body);
    return isObject(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

function readTime(query: EventQuery, field: 'start_time' | 'end_time'): number | undefined {
  const text = query[field];
  if (!text) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new ApiError('VALIDATION_ERROR', [{ field, issue: 'Not a valid time', location: 'query' }]);
  return time;
}

function registerVerificationAndSimulation(
  api: FastifyInstance,
  { paypal, authenticate }: RestContext,
): void {
  const { rest, clock } = paypal;

  api.post('/v1/notifications/verify-webhook-signature', (request) => {
    const app = authenticate(request);
    const body = isObject(request.body) ? request.body : {};
    const isOwnWebhook = rest.apps.webhooksOf(app.clientId).some(({ id }) => id === body.webhook_id);
    return { verification_status: isOwnWebhook && rest.events.verify(body) ? 'SUCCESS' : 'FAILURE' };
  });

  /** An event that is sent to a `url`, instead of to one of the app's webhooks, is signed with the webhook id `WEBHOOK_ID`. */
  api.post('/v1/notifications/simulate-event', async (request, reply) => {
    const app = authenticate(request);
    const {
      webhook_id: id,
      url,
      event_type: type,
    } = (isObject(request.body) ? request.body : {}) as JsonObject;
    const isOneType = isEventType(type) && type !== '*';
    if (!isOneType || (typeof id !== 'string' && typeof url !== 'string')) {
      const field = isOneType ? 'url' : 'event_type';
      throw new ApiError('VALIDATION_ERROR', [
        { field, issue: 'Required field is missing', location: 'body' },
      ]);
    }
    await rest.certificates.prepare();
    const target =
      typeof id === 'string' ? rest.apps.getWebhook(app, id) : { id: 'WEBHOOK_ID', url: url as string };
    const at = iso(clock.now());
    const event = rest.events.send([target], {
      eventType: type,
      summary: 'A mock event',
      resource: {
        id: newTransactionId(),
        status: 'COMPLETED',
        amount: money(4_900, 'USD'),
        create_time: at,
        update_time: at,
      },
      subject: { merchantId: app.merchantId },
    });
    return reply.code(202).send(event);
  });
}
