import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from '../problem/problem.js';

const contentTypes = new WeakMap<IncomingMessage, string>();

/**
 * Operations with `rawBody` or `streamedBody` get the bytes as sent, whatever the content type. For other operations, a body that is not JSON is
 * refused with 415 and not read. Call this after `refuseUndeclaredRoutes` and `acceptJsonOnly`, and before any route is registered.
 */
export function acceptRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const rawBody = route.config?.operation?.rawBody;
    if (rawBody) route.bodyLimit = rawBody.maxBytes;
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Most requests do not have the header, and reading `routeOptions` creates an object.
    if (request.raw.headers['content-type'] !== undefined && rawBodyMode(request)) hideContentType(request);
    done();
  });
  fastify.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const mode = rawBodyMode(request);
    if (!mode) throw new HttpFailure('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
    if (mode === 'stream') return payload;
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    return readAtMost(payload, request.routeOptions.bodyLimit, announcedBytes);
  });
}

/** For operations with `rawBody`. Empty if there is no body. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Empty if the client sent no content type, or if the operation has neither `rawBody` nor `streamedBody`. */
export function rawContentType(request: FastifyRequest): string {
  return contentTypes.get(request.raw) ?? '';
}

/** Undefined if the operation has neither `rawBody` nor `streamedBody`. */
export function rawBodyMode(request: FastifyRequest): 'bytes' | 'stream' | undefined {
  const { operation } = request.routeOptions.config;
  if (operation?.rawBody) return 'bytes';
  return operation?.streamedBody ? 'stream' : undefined;
}

/** Hides the content type from Fastify, which would choose the parser by it and refuse a malformed one. */
function hideContentType({ raw }: FastifyRequest): void {
  contentTypes.set(raw, raw.headers['content-type']!);
  delete raw.headers['content-type'];
}

async function readAtMost(
  payload: AsyncIterable<Buffer>,
  maxBytes: number,
  announcedBytes: number,
): Promise<Buffer> {
  if (announcedBytes > maxBytes) throw new HttpFailure('BODY_TOO_LARGE');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of payload) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new HttpFailure('BODY_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
