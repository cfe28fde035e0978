import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from '../problem/problem.js';

/** No documented body nests at all; this leaves room and keeps whatever walks a body from going deep. */
const deepest = 32;

/**
 * Bodies are JSON, in UTF-8, and nothing else: every other content type is 415. Malformed text, nesting without end and the keys
 * that poison prototypes are 400.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) => {
      // A client that names the type of a body it does not send means no body.
      if (bytes.length === 0) return done(null, undefined);
      const coding = request.headers['content-encoding'] ?? 'identity';
      if (coding !== 'identity') {
        return done(new HttpFailure('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a content coding.'));
      }
      const text = decode(bytes);
      if (text === undefined) return done(new HttpFailure('MALFORMED_REQUEST', 'The body is not UTF-8.'));
      if (isTooDeep(text))
        return done(new HttpFailure('MALFORMED_REQUEST', 'The body is nested too deeply.'));
      void parse(request, text, (error, body) => {
        if (error) done(new HttpFailure('MALFORMED_REQUEST', sentenceOf(error)));
        else done(null, body);
      });
    },
  );
}

/** What parses as JSON may still be refused, for the sake of whatever copies its keys. */
function sentenceOf(error: Error): string {
  return error.message.includes('forbidden prototype')
    ? 'The body has a key that no body may have: __proto__ or constructor.'
    : 'The body is not well-formed JSON.';
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Counted on the text, before anything is built from it. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === backslash) i += 1;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === openBracket || character === openBrace) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (character === closeBracket || character === closeBrace) depth -= 1;
  }
  return false;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\[]{}'].map((text) =>
  text.charCodeAt(0),
) as [number, number, number, number, number, number];
