import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { HttpFailure, type HttpFailureCode, problemAnswerOf } from './problem.js';

const failures: Partial<Record<string, HttpFailureCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

/** A listener for `clientError`. */
export function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || hasAnswerBegun(socket))
    return void socket.destroy();
  const { problem } = problemAnswerOf(
    new HttpFailure(failures[error.code ?? ''] ?? 'MALFORMED_REQUEST'),
    randomUUID(),
  );
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** Nothing may be added to an answer that has begun. Node's own handler of this error reads the same two fields. */
function hasAnswerBegun(socket: Socket & { _httpMessage?: { _headerSent: boolean } | null }): boolean {
  return socket._httpMessage?._headerSent ?? false;
}
