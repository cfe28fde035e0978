import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from '../problem/problem.js';

const contentTypes = new WeakMap<IncomingMessage, string>();

/**
 * The bodies of operations that ask for it arrive as the bytes that were sent, whatever they are called, in memory or as a stream. Every
 * other body that is not JSON is 415, unread. Install it after `refuseUndeclaredRoutes`, and before any route is registered.
 */
export function acceptRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const rawBody = route.config?.operation?.rawBody;
    if (rawBody) route.bodyLimit = rawBody.maxBytes;
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    // Asked first, because most requests have none, and to ask for the route's options makes an object of them.
    if (request.raw.headers['content-type'] !== undefined && bodyTaken(request)) hideContentType(request);
    done();
  });
  fastify.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    const taken = bodyTaken(request);
    if (!taken) throw new HttpFailure('UNSUPPORTED_MEDIA_TYPE');
    if (taken === 'stream') return payload;
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    return readAtMost(payload, request.routeOptions.bodyLimit, announcedBytes);
  });
}

/** The bytes of such a body; none when there is no body. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** The content type of such a body; empty when the client sent none. */
export function rawContentType(request: FastifyRequest): string {
  return contentTypes.get(request.raw) ?? '';
}

/** How the call takes a body that is no JSON, every byte in memory or as they arrive; undefined when it takes none. */
export function bodyTaken(request: FastifyRequest): 'bytes' | 'stream' | undefined {
  const { operation } = request.routeOptions.config;
  if (operation?.rawBody) return 'bytes';
  return operation?.streamedBody ? 'stream' : undefined;
}

/** Fastify chooses the parser by the type, and refuses a type that is none. */
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
