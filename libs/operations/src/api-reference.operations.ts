import { z } from 'zod';
import { grouped, operation } from './operation.js';
import { openToAll } from './policy.js';

const shared = { policy: openToAll, revalidates: true, writesReply: true } as const;

export const apiReferenceOperations = grouped('This documentation', {
  document: operation({
    at: 'GET /openapi.json',
    id: 'getOpenApiDocument',
    summary: 'This API as an OpenAPI 3.1 document',
    answer: z.record(z.string(), z.unknown()),
    ...shared,
  }),
  page: operation({
    at: 'GET /docs',
    id: 'getDocs',
    summary: 'This API as a page to read',
    answer: z.string(),
    mediaType: 'text/html',
    ...shared,
  }),
  style: operation({
    at: 'GET /docs/style.css',
    id: 'getDocsStyle',
    summary: 'The style sheet of that page',
    answer: z.string(),
    mediaType: 'text/css',
    ...shared,
  }),
});
