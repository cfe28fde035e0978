import { expect, test } from '@jest/globals';
import fastify from 'fastify';
import type { Operation } from '#libs/contracts';
import { operations } from '#libs/operations';
import { refuseUndeclaredRoutes, refuseUnservedOperations } from './route-checks.js';

const bannerOperation = operations.find(({ path }) => path === '/banner')!;
const handler = async () => 'answer';

function checkedServer(declarations: readonly Operation[] = operations) {
  const server = fastify();
  refuseUndeclaredRoutes(server, declarations);
  return server;
}

test('a declared route is accepted, and so is the HEAD route that Fastify adds to it', () => {
  expect(() => checkedServer().get('/banner', handler)).not.toThrow();
});

test('an undeclared route is refused', () => {
  expect(() => checkedServer().get('/forgotten', handler)).toThrow('GET /forgotten has no declared policy');
});

test('another method of a declared path is refused', () => {
  expect(() => checkedServer().delete('/banner', handler)).toThrow('DELETE /banner has no declared policy');
});

test('a route with several methods is refused, because it would have the policy of only one of them', () => {
  expect(() => checkedServer().route({ method: ['GET', 'POST'], url: '/banner', handler })).toThrow(
    'GET,POST /banner has no declared policy',
  );
});

test('a route that only resembles a declared one is refused', () => {
  expect(() => checkedServer().get('/banner/:id/:more', handler)).toThrow('no declared policy');
  expect(() => checkedServer().get('/banner/secret', handler)).toThrow('no declared policy');
});

test('a route whose declaration has no policy is refused', () => {
  const { policy, ...withoutPolicy } = bannerOperation;
  expect(() => checkedServer([withoutPolicy as Operation]).get('/banner', handler)).toThrow(
    'no declared policy',
  );
});

test('a declaration without a handler is refused', () => {
  expect(() => refuseUnservedOperations(checkedServer(), [bannerOperation])).toThrow(
    'GET /banner is declared but has no handler',
  );
});

test('no two operations share an operation id', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});
