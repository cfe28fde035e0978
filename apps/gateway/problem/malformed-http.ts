import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { HttpFailure, problemOf } from './problem.js';

/** Answers what is not valid HTTP, or has not arrived in time, directly on the socket. */
export function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  // The same answer as Node's own: after a 408, a client may send its request again on another connection. The answer has no code of the
  // API, because clients that connected in advance and have asked for nothing get it, too.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return void socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'MALFORMED_REQUEST';
  const { problem } = problemOf(new HttpFailure(code), randomUUID());
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
