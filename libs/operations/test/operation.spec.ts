import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { messageStatus, messagingContract, orderContract } from '#libs/contracts';
import { messageOperations, operations } from '../src/index.js';
import { created, updated } from '../src/acknowledged.js';
import { updateBody } from '../src/inputs.js';
import { relay } from '../src/operation.js';
import { adminsOnly } from '../src/policy.js';

const shared = { id: 'test', summary: 'A test', policy: adminsOnly } as const;

test('every operation has a unique id and a unique address', () => {
  const ids = operations.map(({ operationId }) => operationId);
  const addresses = operations.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('every operation that takes JSON has a body schema that refuses unknown fields', () => {
  const accepting = operations.filter(({ body }) => body?.safeParse({ unknownField: 1 }).success);
  expect(accepting.map(({ operationId }) => operationId)).toEqual([]);
});

test('a relayed list answers pages', () => {
  expect(messageOperations.list).toMatchObject({ status: 200, paged: true, relay: { form: 'list' } });
});

// The type check fails where an expected error does not occur.
describe('a relay that its service could not answer does not compile', () => {
  test('a misspelt field', () => {
    const body = updateBody('Misspelt', { messageStatu: messageStatus });
    relay({
      ...shared,
      at: 'PUT /test/:id',
      body,
      versioned: true,
      // @ts-expect-error -- the service takes messageStatus
      to: updated(messagingContract.setMessageStatus),
    });
    expect(body.safeParse({ messageStatus: 'Read' }).success).toBe(false);
  });

  test('a field that the service would ignore', () => {
    const body = z.strictObject({ messageStatus, extra: z.string() });
    const declared = relay({
      ...shared,
      at: 'PUT /test/:id',
      body,
      // @ts-expect-error -- the service does not take extra
      to: updated(messagingContract.setMessageStatus),
    });
    expect(declared.relay.contract.pattern).toBe('messaging.setMessageStatus');
  });

  test('an address without the record’s id', () => {
    const declared = relay({
      ...shared,
      at: 'PUT /test',
      // @ts-expect-error -- the service takes an id
      to: updated(orderContract.clearFlags),
    });
    expect(declared.path).toBe('/test');
  });

  test('an answer that the service does not give', () => {
    // @ts-expect-error -- the service answers { record, modified }
    expect(() => created(messagingContract.setMessageStatus)).not.toThrow();
  });
});
