import { z } from 'zod';
import { errorSentences } from '#libs/contracts';
import { describePolicy, type Operation } from '#libs/operations';
import { httpFailures, problemType, statusOfCode } from '../problem/problem.js';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: Record<'schemas' | 'responses' | 'securitySchemes', Record<string, Json>>;
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

/** Increased when the API changes for its clients. */
const apiVersion = '1.0.0';

/** The whole API as an OpenAPI 3.1 document, derived from the operations that are served. */
export function openApiDocument(operations: readonly Operation[]): OpenApiDocument {
  const schemas = new Schemas();
  const problems = new Problems();
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[operation.method.toLowerCase()] = operationOf(operation, schemas, problems);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'SEO services platform',
      version: apiVersion,
      description:
        'Paths match in any letter case, with and without a trailing slash. Some are pages too: name `application/json` in `Accept` to be answered in JSON.',
    },
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema, ...schemas.named },
      responses: problems.named,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` of a sign-in.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'access_token',
          description:
            'Set by a sign-in in the browser; `__Host-access_token` on HTTPS. Writes must come from the site itself.',
        },
      },
    },
  };
}

function operationOf(operation: Operation, schemas: Schemas, problems: Problems): OpenApiOperation {
  const { policy } = operation;
  const parameters = parametersOf(operation, schemas);
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: `Access: ${describePolicy(policy)}.`,
    tags: [operation.group],
    security: policy.access === 'public' ? [{}] : [{ bearer: [] }, { cookie: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.rawBody || operation.streamedBody
      ? { requestBody: { required: true, content: anyBytes } }
      : {}),
    ...(operation.body
      ? { requestBody: { required: true, content: json(schemas.of(operation.body, 'input')) } }
      : {}),
    responses: { [operation.status]: successOf(operation, schemas), ...failuresOf(operation, problems) },
  };
}

function parametersOf(operation: Operation, schemas: Schemas): Json[] {
  const inPath = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return [
    ...inPath,
    ...queryParameters(operation, schemas),
    ...(operation.versioned
      ? [header('If-Match', 'The version you have seen, in quotes, like `"3"`. Stale: 412.')]
      : []),
    ...(operation.revalidates ? [header('If-None-Match', 'The `ETag` you have. Unchanged: 304.')] : []),
    ...(operation.policy.idempotent
      ? [
          header(
            'Idempotency-Key',
            'The same key and body gets the same answer and takes effect once, for 24 hours.',
          ),
        ]
      : []),
  ];
}

/** As they are once they are read: a number is one. */
function queryParameters({ query }: Operation, schemas: Schemas): Json[] {
  if (!query) return [];
  return Object.entries(query.shape).map(([name, parameter]) => {
    const { description, ...schema } = schemas.of(parameter as z.ZodType, 'output');
    return { name, in: 'query', required: false, ...(description ? { description } : {}), schema };
  });
}

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function successOf(operation: Operation, schemas: Schemas): Json {
  const content = {
    [operation.mediaType ?? 'application/json']: { schema: schemas.of(operation.answer, 'output') },
  };
  const headers = {
    ...(operation.revalidates ? { ETag: { schema: { type: 'string' } } } : {}),
    ...(operation.paged ? pagedHeaders : {}),
  };
  return {
    description: operation.summary,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(operation.answer instanceof z.ZodUndefined ? {} : { content }),
  };
}

const pagedHeaders = {
  Link: { description: 'The next page, as `rel="next"`, where there is one.', schema: { type: 'string' } },
  'X-Total-Count': { description: 'How many there are on all pages.', schema: { type: 'integer' } },
};

/** What can go wrong, by status. */
function failuresOf(operation: Operation, problems: Problems): Record<string, Json> {
  const codes = new Map<number, string[]>();
  const add = (status: number, code: string) => codes.set(status, [...(codes.get(status) ?? []), code]);
  for (const code of operation.failures) add(statusOfCode[code], code);
  for (const code of impliedFailures(operation)) {
    const status =
      code in statusOfCode ? statusOfCode[code as 'INTERNAL'] : httpFailures[code as 'BODY_TOO_LARGE'].status;
    add(status, code);
  }
  const answers = [...codes].sort(([a], [b]) => a - b).map(([status, names]) => [status, problems.of(names)]);
  return {
    ...(operation.revalidates ? { 304: { description: 'You have it already.' } } : {}),
    ...(Object.fromEntries(answers) as Record<string, Json>),
  };
}

function impliedFailures(operation: Operation): string[] {
  const { policy, body, query, rawBody, streamedBody, method, versioned } = operation;
  return [
    ...(body || query ? ['INVALID_INPUT'] : []),
    ...(versioned ? ['VERSION_MISMATCH'] : []),
    ...(policy.idempotent ? ['IDEMPOTENCY_KEY_REUSED'] : []),
    ...(rawBody || streamedBody ? ['BODY_TOO_LARGE'] : []),
    ...(body ? ['MALFORMED_REQUEST', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] : []),
    ...(policy.access === 'public' ? [] : ['UNAUTHENTICATED', 'SESSION_ENDED']),
    ...(policy.access === 'admin' ? ['FORBIDDEN'] : []),
    ...(policy.fresh ? ['FRESH_SIGN_IN_REQUIRED'] : []),
    ...(method === 'GET' ? [] : ['CROSS_SITE_REQUEST']),
    ...(policy.limit ? ['RATE_LIMITED'] : []),
    'INTERNAL',
    'UNAVAILABLE',
    'TIMEOUT',
  ];
}

/** Answers with a problem of one of these codes; operations share and refer to them. */
class Problems {
  readonly named: Record<string, Json> = {};

  of(codes: string[]): Json {
    const name = codes.join('.');
    this.named[name] ??= {
      description: codes.join(', '),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}

const anyBytes: Json = { '*/*': { schema: { type: 'string', format: 'binary' } } };

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

const text = { type: 'string' };

const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457. Rely on `code`; the words are for people.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { ...text, examples: [problemType('INVALID_INPUT')] },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code: { ...text, enum: [...Object.keys(errorSentences), ...Object.keys(httpFailures)] },
    requestId: text,
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'message'], properties: { field: text, message: text } },
    },
    current: { description: 'With VERSION_MISMATCH: the record as it stands now.' },
    secondFactor: {
      description: 'With SECOND_FACTOR_REQUIRED: by what `POST /auth/second-factor` ends the sign-in.',
      type: 'object',
      properties: { methods: { type: 'array', items: text } },
    },
  },
};

/** JSON Schemas of zod schemas; those with an id are collected under it and referred to. */
class Schemas {
  readonly named: Record<string, Json> = {};

  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    // An id counts only inside another schema, hence the list around it.
    const { items, $defs = {} } = z.toJSONSchema(z.array(schema), { io, unrepresentable: 'any' }) as {
      items: Json;
      $defs?: Record<string, Json>;
    };
    for (const [name, definition] of Object.entries($defs)) this.named[name] = rebase(definition) as Json;
    return rebase(items) as Json;
  }
}

function rebase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rebase);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => !(key === 'id' && typeof inner === 'string'),
  );
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, rebase(inner)],
    ),
  );
}
