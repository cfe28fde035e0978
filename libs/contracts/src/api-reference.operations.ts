import { z } from 'zod';
import { grouped, operation } from './operation.js';
import { openToAll } from './policy.js';

const shared = { policy: openToAll, revalidates: true, writesReply: true } as const;

export const apiReferenceOperations = grouped('API reference', {
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
    summary: 'This API as a page to read, with a form to try each call',
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
  scalar: operation({
    at: 'GET /docs/reference.js',
    id: 'getDocsScript',
    summary: 'The script that shows the reference on that page (Scalar)',
    answer: z.string(),
    mediaType: 'text/javascript',
    ...shared,
  }),
  start: operation({
    at: 'GET /docs/start.js',
    id: 'getDocsStartScript',
    summary: 'The script that starts the reference on that page',
    answer: z.string(),
    mediaType: 'text/javascript',
    ...shared,
  }),
});
