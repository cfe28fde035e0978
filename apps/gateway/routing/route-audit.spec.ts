import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import type { Operation } from '#libs/contracts';
import { operations } from '#libs/operations';
import { refuseUndeclaredRoutes, refuseUnservedOperations } from './route-audit.js';

const declared = operations.find(({ path }) => path === '/banner')!;
const handler = async () => 'answer';

function audited(all: readonly Operation[] = operations) {
  const server = fastify();
  refuseUndeclaredRoutes(server, all);
  return server;
}

test('a declared route is registered, HEAD included', () => {
  expect(() => audited().get('/banner', handler)).not.toThrow();
});

test('an undeclared route is refused', () => {
  expect(() => audited().get('/forgotten', handler)).toThrow('GET /forgotten has no declared policy');
});

test('another method of a declared path is refused', () => {
  expect(() => audited().delete('/banner', handler)).toThrow('DELETE /banner has no declared policy');
});

test('a route with several methods is refused, because it would have the policy of only one of them', () => {
  expect(() => audited().route({ method: ['GET', 'POST'], url: '/banner', handler })).toThrow(
    'GET,POST /banner has no declared policy',
  );
});

test('a route that only resembles a declared one is refused', () => {
  expect(() => audited().get('/banner/:id/:more', handler)).toThrow('no declared policy');
  expect(() => audited().get('/banner/secret', handler)).toThrow('no declared policy');
});

test('a declaration without a policy is refused', () => {
  const { policy, ...bare } = declared;
  expect(() => audited([bare as Operation]).get('/banner', handler)).toThrow('no declared policy');
});

test('a declaration without a handler is refused', () => {
  expect(() => refuseUnservedOperations(audited(), [declared])).toThrow(
    'GET /banner is declared but has no handler',
  );
});

test('no two operations share an operation id', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});
