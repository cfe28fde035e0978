import { describe, expect, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import { readEvent, readReply, readRequest } from './envelope.js';

const request = {
  id: 'r',
  call: '1',
  pattern: 'orders.echo',
  input: { text: 'x' },
  actor: visitor,
  replyTo: 'reply:gateway',
  ttlMs: 1000,
};
const event = { id: 'e', event: 'content.changed', payload: {}, occurredAt: '2026-11-21T10:00:00.000Z' };
const entry = (content: object) => ({ m: JSON.stringify(content) });

describe('envelopes', () => {
  test('are read as they were written', () => {
    expect(readRequest(entry(request))).toEqual(request);
    expect(readEvent(entry(event))).toEqual(event);
  });

  test.each([
    ['no field', {}],
    ['no JSON', { m: 'x' }],
    ['no deadline', entry({ ...request, ttlMs: undefined })],
    ['a deadline in the past', entry({ ...request, ttlMs: -1 })],
    ['an unknown role', entry({ ...request, actor: { role: 'root' } })],
    ['an admin without an account', entry({ ...request, actor: { role: 'admin' } })],
    ['a reply to another kind of channel', entry({ ...request, replyTo: 'broadcast:content.version' })],
    ['an empty id', entry({ ...request, id: '' })],
  ])('a request with %s is malformed', (_name, fields) => {
    expect(readRequest(fields as Record<string, string>)).toBeUndefined();
  });

  test.each([
    ['no time', entry({ ...event, occurredAt: undefined })],
    ['an invalid time', entry({ ...event, occurredAt: 'yesterday' })],
  ])('an event with %s is malformed', (_name, fields) => {
    expect(readEvent(fields)).toBeUndefined();
  });

  test.each(['', 'null', '7', '{}', '{"call":7}', '{"call":"1","error":{"code":"MADE_UP"}}'])(
    'a reply of %j is malformed',
    (message) => {
      expect(readReply(message)).toBeUndefined();
    },
  );

  test('a reply without a value resolves to undefined', () => {
    expect(readReply('{"call":"1"}')).toEqual({ call: '1', value: undefined });
  });
});
