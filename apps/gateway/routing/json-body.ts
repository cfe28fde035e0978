import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from '../problem/problem.js';
import { findFault } from './json-text.js';

/**
 * Accepts JSON bodies in UTF-8 only, and refuses every other content type with 415; `acceptRawBodies` adds exceptions. Malformed text, nesting that
 * is too deep, duplicate keys and keys that could pollute prototypes are refused with 400.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      const refuse = (sentence: string) => done(new HttpFailure('MALFORMED_REQUEST', sentence));
      const encodingFault = findEncodingFault(request.headers);
      if (encodingFault) return done(new HttpFailure('UNSUPPORTED_MEDIA_TYPE', encodingFault));
      // Some clients send a Content-Type without a body.
      if (bytes.length === 0) return done(null, undefined);
      const text = decode(bytes);
      if (text === undefined) return refuse('The body is not UTF-8.');
      const fault = findFault(text);
      if (fault) return refuse(fault);
      void parse(request, text, (error, body) => {
        if (error) refuse(refusalOf(text));
        else done(null, body);
      });
    },
  );
}

function findEncodingFault(headers: FastifyRequest['headers']): string | undefined {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return 'Send the body without a Content-Encoding.';
  }
  // RFC 8259 (section 8.1) allows UTF-8 only; any other charset would be misread.
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '') ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : 'Send the body in UTF-8.';
}

/** The parser's error does not say which of its two reasons applies. */
function refusalOf(text: string): string {
  try {
    JSON.parse(text);
    return 'The body contains a key that is not allowed: __proto__ or constructor.';
  } catch {
    return 'The body is not valid JSON.';
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
