import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import type { z } from 'zod';
import type { ErrorCode } from '#libs/contracts';
import type { Policy } from '../policy/policy.js';

export type EndpointMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One call of the REST API, as data: where it is, who may make it, what it takes and what it answers. The controllers, the
 * policy guard, the documentation and the tests all read it from here.
 */
export interface Endpoint {
  readonly method: EndpointMethod;
  /** Matches with and without a trailing slash and in any letter case. */
  readonly path: `/${string}`;
  readonly policy: Policy;
  /** Unique; names the call in generated clients. */
  readonly operationId: string;
  readonly summary: string;
  /** The heading under which the documentation lists it. */
  readonly group: string;
  readonly body?: z.ZodType;
  /** Takes the body's bytes as they came, of any content type. */
  readonly rawBody?: { readonly maxBytes: number };
  /** Takes the body as it arrives, of any content type and bounded by the handler: what is too large for memory, and may take its time. */
  readonly streamedBody?: true;
  /** The query string. Its schema takes text and gives what the handler gets. */
  readonly query?: z.ZodObject;
  /** Status of success. */
  readonly status: 200 | 201 | 202 | 303;
  /** The answer on success. Answers are written through it, so the wire cannot drift from the documentation. */
  readonly answer: z.ZodType;
  /** Expected failures beyond those that the policy and the transport bring along. */
  readonly failures: readonly ErrorCode[];
  /** Fields of the answer that hold the address of a picture: absolute for pages on other origins. */
  readonly pictures?: ReadonlySet<string>;
  /** The answer carries a strong `ETag` and honours `If-None-Match`. */
  readonly revalidates?: boolean;
  /** The answer carries `X-Total-Count`, and `Link` to its next page. */
  readonly paged?: boolean;
  /** Takes `If-Match: "<version>"`. */
  readonly versioned?: boolean;
  /** `application/json` unless said otherwise. */
  readonly mediaType?: string;
}

export const ENDPOINT = 'gateway:endpoint';

/** Makes a controller's method answer this endpoint. */
export function Serves(endpoint: Endpoint): MethodDecorator {
  return applyDecorators(
    RequestMapping({ method: RequestMethod[endpoint.method], path: endpoint.path }),
    HttpCode(endpoint.status),
    SetMetadata(ENDPOINT, endpoint),
  );
}
