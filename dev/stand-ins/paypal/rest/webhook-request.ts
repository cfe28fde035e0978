import type { Webhook } from './apps.js';
import { ApiError } from './errors.js';
import { isEventType } from './event-types.js';
import { isObject } from './request-fields.js';

const fieldError = (field: string, issue: string) =>
  new ApiError('VALIDATION_ERROR', [{ field, issue, location: 'body' }]);

function readUrl(value: unknown): string {
  if (typeof value !== 'string' || !URL.canParse(value) || !/^https?:/.test(value) || value.length > 2048)
    throw fieldError('url', 'Not a valid webhook URL');
  return value;
}

function readEventTypes(value: unknown): string[] {
  const names = Array.isArray(value) ? value.map((type: unknown) => isObject(type) && type.name) : [];
  if (names.length === 0 || names.some((name) => !isEventType(name)))
    throw fieldError('event_types', 'Not a valid event type');
  return names.filter(isEventType);
}

/** `POST /v1/notifications/webhooks`. */
export function readWebhook(body: unknown): Pick<Webhook, 'url' | 'eventTypes'> {
  if (!isObject(body)) throw fieldError('url', 'Required field is missing');
  return { url: readUrl(body.url), eventTypes: readEventTypes(body.event_types) };
}

/** `PATCH /v1/notifications/webhooks/{id}`: replaces `/url`, `/event_types` or both. */
export function readWebhookPatch(body: unknown): Partial<Pick<Webhook, 'url' | 'eventTypes'>> {
  if (!Array.isArray(body) || body.length === 0)
    throw fieldError('patch_request', 'Required field is missing');
  return Object.assign(
    {},
    ...(body as unknown[]).map((change) => {
      if (!isObject(change) || change.op !== 'replace') throw fieldError('op', 'Only replace is supported');
      if (change.path === '/url') return { url: readUrl(change.value) };
      if (change.path === '/event_types') return { eventTypes: readEventTypes(change.value) };
      throw fieldError('path', 'Only /url and /event_types can be replaced');
    }),
  ) as Partial<Pick<Webhook, 'url' | 'eventTypes'>>;
}
