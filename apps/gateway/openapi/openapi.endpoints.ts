import { z } from 'zod';
import { openToAll } from '../policy/policy.js';
import type { Endpoint } from '../routing/endpoint.js';

const group = 'This documentation';

export const documentEndpoint: Endpoint = {
  method: 'GET',
  path: '/openapi.json',
  policy: openToAll,
  operationId: 'getOpenApiDocument',
  summary: 'This API as an OpenAPI 3.1 document',
  group,
  status: 200,
  answer: z.record(z.string(), z.unknown()),
  failures: [],
  revalidates: true,
};

export const docsEndpoint: Endpoint = {
  method: 'GET',
  path: '/docs',
  policy: openToAll,
  operationId: 'getDocs',
  summary: 'This API as a page to read',
  group,
  status: 200,
  answer: z.string(),
  failures: [],
  revalidates: true,
  mediaType: 'text/html',
};

export const docsStyleEndpoint: Endpoint = {
  method: 'GET',
  path: '/docs/style.css',
  policy: openToAll,
  operationId: 'getDocsStyle',
  summary: 'The style sheet of that page',
  group,
  status: 200,
  answer: z.string(),
  failures: [],
  revalidates: true,
  mediaType: 'text/css',
};

export const openApiEndpoints: readonly Endpoint[] = [documentEndpoint, docsEndpoint, docsStyleEndpoint];
