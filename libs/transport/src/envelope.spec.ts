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
const fieldsOf = (content: object) => ({ m: JSON.stringify(content) });

describe('envelopes', () => {
  test('are read as they were written', () => {
    expect(readRequest(fieldsOf(request))).toEqual(request);
    expect(readEvent(fieldsOf(event))).toEqual(event);
  });

  test.each([
    ['no field', {}],
    ['invalid JSON', { m: 'x' }],
    ['no time to live', fieldsOf({ ...request, ttlMs: undefined })],
    ['a negative time to live', fieldsOf({ ...request, ttlMs: -1 })],
    ['an unknown role', fieldsOf({ ...request, actor: { role: 'root' } })],
    ['an admin without an account', fieldsOf({ ...request, actor: { role: 'admin' } })],
    ['a channel that is not for replies', fieldsOf({ ...request, replyTo: 'broadcast:content.version' })],
    ['an empty id', fieldsOf({ ...request, id: '' })],
  ])('a request with %s is malformed', (_name, fields) => {
    expect(readRequest(fields as Record<string, string>)).toBeUndefined();
  });

  test.each([
    ['no time', fieldsOf({ ...event, occurredAt: undefined })],
    ['an invalid time', fieldsOf({ ...event, occurredAt: 'yesterday' })],
  ])('an event with %s is malformed', (_name, fields) => {
    expect(readEvent(fields)).toBeUndefined();
  });

  test.each([
    ...['', 'null', '7', '{}', '{"call":7}'],
    ...['{"call":"1","error":null}', '{"call":"1","error":7}', '{"call":"1","error":{"code":"MADE_UP"}}'],
  ])('the reply %j is malformed', (message) => {
    expect(readReply(message)).toBeUndefined();
  });

  test('a reply without a value has the value undefined', () => {
    expect(readReply('{"call":"1"}')).toEqual({ call: '1', value: undefined });
  });
});
