import { z } from 'zod';
import { grouped, operation } from './operation.js';
import { openToAll } from './policy.js';

const shared = { policy: openToAll, revalidates: true, writesReply: true } as const;

export const apiReferenceOperations = grouped('API reference', {
  getOpenApiDocument: operation({
    at: 'GET /openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    answer: z.record(z.string(), z.unknown()),
    ...shared,
  }),
  getDocs: operation({
    at: 'GET /docs',
    summary: 'This API as a page to read, with a form to try each call',
    answer: z.string(),
    mediaType: 'text/html',
    ...shared,
  }),
  getDocsStyle: operation({
    at: 'GET /docs/style.css',
    summary: 'The style sheet of `/docs`',
    answer: z.string(),
    mediaType: 'text/css',
    ...shared,
  }),
  getDocsScript: operation({
    at: 'GET /docs/reference.js',
    summary: 'The script that shows the reference on `/docs` (Scalar)',
    answer: z.string(),
    mediaType: 'text/javascript',
    ...shared,
  }),
  getDocsStartScript: operation({
    at: 'GET /docs/start.js',
    summary: 'The script that starts the reference on `/docs`',
    answer: z.string(),
    mediaType: 'text/javascript',
    ...shared,
  }),
});
