import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Operation, Policy } from '#libs/contracts';
import { groupDescriptions } from '#libs/operations';
import { type ProblemCode, problemCodes, problemType, sentenceOf, statusOf } from '../problem/problem.js';
import { introduction } from './introduction.js';

type Json = Record<string, unknown>;

interface OpenApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: Record<'schemas' | 'responses' | 'securitySchemes', Record<string, Json>>;
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

const apiVersion = '1.0.0';

export function openApiDocument(operations: readonly Operation[], siteUrl: string): OpenApiDocument {
  const schemas = new Schemas();
  const problems = new ProblemResponses();
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
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: siteUrl, description: 'This site' }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({
      name,
      description: groupDescriptions[name] ?? '',
    })),
    paths,
    components: {
      schemas: { Problem: problemSchema, ...schemas.named },
      responses: problems.named,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` that a sign-in returns.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'access_token',
          description:
            'Set when you sign in with a browser; named `__Host-access_token` on HTTPS. With this cookie, calls that change something must come from a page of this site.',
        },
      },
    },
  };
}

function operationOf(operation: Operation, schemas: Schemas, problems: ProblemResponses): OpenApiOperation {
  const { policy } = operation;
  const parameters = parametersOf(operation, schemas);
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: describeAccess(policy),
    tags: [operation.group],
    security: [
      ...(policy.access === 'public' ? [{}] : []),
      ...(policy.session === 'ignored' ? [] : [{ bearer: [] }, { cookie: [] }]),
    ],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.rawBody || operation.streamedBody
      ? { requestBody: { required: true, content: bytesContent(operation.streamedBody) } }
      : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: jsonContent(schemas.toJsonSchema(operation.body, 'input')),
          },
        }
      : {}),
    responses: {
      [operation.status]: successOf(operation, schemas),
      ...(operation.revalidates ? { 304: { description: 'You have the current version.' } } : {}),
      ...failuresOf(operation, problems),
    },
  };
}

function describeAccess({ access, session, ...rest }: Policy): string {
  const who = {
    public: 'Anyone may call this.',
    customer: 'For signed-in accounts.',
    admin: 'For admins.',
  }[access];
  return [
    who,
    access === 'public' && session === 'strict' && 'A token that is sent must be valid.',
    access === 'public' && session === 'lenient' && 'A session is optional.',
    rest.provedByLink && 'The token of the link is the only credential.',
    rest.fresh && 'Needs a recent sign-in: see `POST /auth/confirm`.',
    rest.setsCookies && 'Sets or clears the cookies of the session.',
    rest.limit &&
      'The number of calls from one client network (an IPv4 address, or an IPv6 /64 prefix) is limited.',
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');
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
    ...(operation.tus
      ? [{ name: 'Tus-Resumable', in: 'header', required: true, schema: { type: 'string', const: '1.0.0' } }]
      : []),
    ...(operation.versioned
      ? [
          headerParameter(
            'If-Match',
            'The version that you read, in quotes, like `"3"`. When the record has changed since, the answer is 412.',
          ),
        ]
      : []),
    ...(operation.revalidates
      ? [
          headerParameter(
            'If-None-Match',
            'The `ETag` of an earlier answer. When nothing has changed since, the answer is 304.',
          ),
        ]
      : []),
    ...(operation.policy.idempotent
      ? [
          headerParameter(
            'Idempotency-Key',
            'A value of your choice. Within 24 hours, a repeated request with the same key and body takes effect once and gets the same answer.',
          ),
        ]
      : []),
  ];
}

/** Documents the parsed types, such as numbers, not the text in the query string. */
function queryParameters({ query }: Operation, schemas: Schemas): Json[] {
  if (!query) return [];
  return Object.entries(query.shape).map(([name, parameter]) => {
    const { description, ...schema } = schemas.toJsonSchema(parameter as z.ZodType, 'output');
    const required = !(parameter as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required, ...(description ? { description } : {}), schema };
  });
}

function headerParameter(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

function successOf(operation: Operation, schemas: Schemas): Json {
  const content = {
    [operation.mediaType ?? 'application/json']: { schema: schemas.toJsonSchema(operation.answer, 'output') },
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
  Link: {
    description: 'The address of the next page as `rel="next"`, if there is one.',
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'The number of records on all pages.', schema: { type: 'integer' } },
};

/** By status. `default` has the failures that are not the caller's fault. */
function failuresOf(operation: Operation, problems: ProblemResponses): Record<string, Json> {
  const codes = new Map<number, ProblemCode[]>();
  for (const code of new Set([
    ...pathFailures(operation),
    ...operation.failures,
    ...impliedFailures(operation),
  ])) {
    const status = statusOf(code);
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  const answers = [...codes]
    .sort(([a], [b]) => a - b)
    .map(([status, sameStatus]) => [status, problems.refTo(sameStatus)]);
  return {
    ...(Object.fromEntries(answers) as Record<string, Json>),
    default: problems.refTo(unexpected, 'Unexpected'),
  };
}

/** Any call can fail with these, through no fault of the caller. */
const unexpected: readonly ProblemCode[] = ['INTERNAL', 'UNAVAILABLE', 'OVERLOADED', 'TIMEOUT'];

function pathFailures({ path }: Operation): ProblemCode[] {
  return path.includes('/:') ? ['NOT_FOUND'] : [];
}

function impliedFailures(operation: Operation): ProblemCode[] {
  const { policy, body, query, rawBody, streamedBody, tus, ranges, method, versioned } = operation;
  const takesOneType = body || typeof streamedBody === 'string';
  return [
    ...(body || query || versioned || policy.idempotent ? (['INVALID_INPUT'] as const) : []),
    ...(versioned ? (['VERSION_MISMATCH'] as const) : []),
    ...(policy.idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(body || rawBody || streamedBody ? (['MALFORMED_REQUEST', 'BODY_TOO_LARGE'] as const) : []),
    ...(takesOneType ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(tus && streamedBody ? (['UPLOAD_CONTINUED_ELSEWHERE'] as const) : []),
    ...(tus ? (['PROTOCOL_VERSION'] as const) : []),
    ...(ranges ? (['RANGE_NOT_SATISFIABLE'] as const) : []),
    ...(policy.session === 'strict' ? (['UNAUTHENTICATED', 'SESSION_ENDED'] as const) : []),
    ...(policy.access === 'admin' ? (['FORBIDDEN', 'SECOND_FACTOR_MISSING'] as const) : []),
    ...(policy.fresh ? (['FRESH_SIGN_IN_REQUIRED'] as const) : []),
    ...(method === 'GET' || policy.provedByLink ? [] : (['CROSS_SITE_REQUEST'] as const)),
    ...(policy.limit ? (['RATE_LIMITED'] as const) : []),
    'HEADERS_TOO_LARGE',
  ];
}

/** Operations refer to these answers, so that each set of codes is documented once. */
class ProblemResponses {
  readonly named: Record<string, Json> = {};

  refTo(codes: readonly ProblemCode[], name = codes.join('.')): Json {
    this.named[name] ??= {
      description: codes.map((code) => `\`${code}\`: ${sentenceOf(code)}`).join('\n\n'),
      ...(codes.some(hasRetryAfter) ? { headers: retryAfterHeaders } : {}),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    };
    return { $ref: `#/components/responses/${name}` };
  }
}

const hasRetryAfter = (code: ProblemCode) => [429, 503].includes(statusOf(code));

const retryAfterHeaders = {
  'Retry-After': {
    description: 'Seconds to wait before the next try; with statuses 429 and 503.',
    schema: { type: 'integer' },
  },
};

function exampleOf(code: ProblemCode): Json {
  return {
    type: problemType(code),
    title: STATUS_CODES[statusOf(code)],
    status: statusOf(code),
    detail: sentenceOf(code),
    code,
    requestId: '0199a6b0-5c3e-7d1f-9a2b-3c4d5e6f7081',
    ...(code === 'INVALID_INPUT'
      ? { errors: [{ field: 'email', message: 'must be an e-mail address' }] }
      : {}),
  };
}

/** `true` means a body of any content type. */
function bytesContent(type: Operation['streamedBody'] = true): Json {
  return { [type === true ? '*/*' : type]: { schema: { type: 'string', format: 'binary' } } };
}

function jsonContent(schema: Json): Json {
  return { 'application/json': { schema } };
}

const textSchema = { type: 'string' };

const problemSchema: Json = {
  type: 'object',
  description:
    'An error as RFC 9457 describes it. Programs should rely on `code`; the texts are for people and may change.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { ...textSchema, examples: [problemType('INVALID_INPUT')] },
    title: textSchema,
    status: { type: 'integer' },
    detail: textSchema,
    code: { ...textSchema, enum: problemCodes },
    requestId: {
      ...textSchema,
      description: 'Identifies the request in the entries that the server logs about it.',
    },
    errors: {
      type: 'array',
      description:
        'With INVALID_INPUT, and with other codes about certain fields, such as DUPLICATE: what is wrong with each field.',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: textSchema, message: textSchema },
      },
    },
    current: {
      description:
        'With VERSION_MISMATCH, and with INVALID_TRANSITION of a project or a brief: the record as it is now. With PRICE_CHANGED: the current package and price, or null if the package was removed. With IMAGE_IN_USE: the picture.',
    },
    secondFactor: {
      description: 'With SECOND_FACTOR_REQUIRED: the methods that `POST /auth/second-factor` accepts.',
      type: 'object',
      properties: { methods: { type: 'array', items: textSchema } },
    },
  },
};

/** Schemas with an id are collected in `named`, and others refer to them. */
class Schemas {
  readonly named: Record<string, Json> = {};

  toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
    // zod puts a schema with an id under `$defs` only if it is inside another schema, hence the array.
    const { items, $defs = {} } = z.toJSONSchema(z.array(schema), { io, unrepresentable: 'any' }) as {
      items: Json;
      $defs?: Record<string, Json>;
    };
    for (const [name, definition] of Object.entries($defs)) this.named[name] = toOpenApi(definition) as Json;
    return toOpenApi(items) as Json;
  }
}

/** Removes ids and the bounds that zod adds, makes references point to `components`, and lists the keys of enum records as properties. */
function toOpenApi(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(
    ([key, inner]) => !(key === 'id' && typeof inner === 'string') && !isSafeIntegerBound(inner),
  );
  if (isEnumRecord(value)) return toOpenApi(withProperties(value));
  return Object.fromEntries(
    entries.map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, toOpenApi(inner)],
    ),
  );
}

/** zod adds these bounds to every integer, and the examples on the reference page would show them. */
function isSafeIntegerBound(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;
}

interface EnumRecord {
  propertyNames: { enum: string[] };
  additionalProperties: unknown;
}

/** zod writes `z.record` of an enum in this form. */
function isEnumRecord(value: object): value is EnumRecord {
  const { propertyNames } = value as Partial<EnumRecord>;
  return Array.isArray(propertyNames?.enum);
}

/** Lists the keys as properties, which readers and generators of types understand. */
function withProperties({ propertyNames, additionalProperties, ...rest }: EnumRecord): Json {
  const properties = Object.fromEntries(propertyNames.enum.map((name) => [name, additionalProperties]));
  return { ...rest, properties, additionalProperties: false };
}
