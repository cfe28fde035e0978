import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { operations } from '#libs/operations';
import { fullTest } from '#libs/testing';
import { problemCodes } from '../problem/problem.js';
import { openApiDocument } from './document.js';

const document = openApiDocument(operations, 'https://site.test');

test('the document passes the recommended rules of Redocly', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
});

fullTest('openapi-typescript generates types from the document, and they compile', async () => {
  const api = astToString(await openapiTS(JSON.stringify(document)));
  const uses = `
    type Counts = components['schemas']['OrdersSummary']['byPaymentStatus'];
    export const counts: Counts = { UnPaid: 1, Paid: 2, Cancelled: 3 };
    type Login = operations['login']['requestBody']['content']['application/json'];
    export const login: Login = { email: '', password: '' };
    // @ts-expect-error There is no such code.
    export const code: components['schemas']['Problem']['code'] = 'NO_SUCH_CODE';
  `;
  expect(compileErrors(api + uses)).toEqual([]);
});

test('the description lists every error code', () => {
  for (const code of problemCodes) expect(document.info.description).toContain(`- \`${code}\` (`);
});

test.each([
  ['post', '/project-uploads', { 412: 'PROTOCOL_VERSION', 400: 'INVALID_INPUT' }],
  [
    'patch',
    '/project-uploads/{id}',
    {
      ...{ 400: 'INVALID_INPUT.MALFORMED_REQUEST', 409: 'INVALID_TRANSITION' },
      ...{ 412: 'PROTOCOL_VERSION', 413: 'BODY_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' },
      ...{ 423: 'UPLOAD_CONTINUED_ELSEWHERE' },
    },
  ],
  ['delete', '/project-uploads/{id}', { 412: 'PROTOCOL_VERSION' }],
  ['get', '/project-file/{id}', { 416: 'RANGE_NOT_SATISFIABLE' }],
  // For a malformed Idempotency-Key.
  ['post', '/plan-subscription/{id}/pause', { 400: 'INVALID_INPUT' }],
  // For a malformed If-Match.
  ['delete', '/images/{id}', { 400: 'INVALID_INPUT' }],
])('%s %s documents the refusals %j', (method, path, refusals) => {
  const { responses } = document.paths[path]![method]!;
  for (const [status, name] of Object.entries(refusals))
    expect([status, responses[status]]).toEqual([status, { $ref: `#/components/responses/${name}` }]);
});

test('every tag has a description', () => {
  for (const tag of document.tags)
    expect(tag).toEqual({ name: tag.name, description: expect.stringMatching(/\.$/) });
});

function compileErrors(source: string): string[] {
  const file = 'api.ts';
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    noResolve: true,
    skipLibCheck: true,
    lib: ['lib.es5.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, source, version) : getSourceFile(name, version);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
