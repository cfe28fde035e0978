import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from '#libs/platform';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { plainPage } from '../answers/plain-page.js';
import { weightOf } from '../answers/negotiation.js';
import { HttpFailure, problemAnswerOf } from './problem.js';

/** Answers with `application/problem+json` (RFC 9457). A browser that submits a form without JavaScript gets a page for a 405 or 415. */
@Injectable()
export class ProblemSender {
  constructor(
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  send(failure: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // If the client disconnected while it sent the body, the failure is not ours.
    const error = failure === request.raw.errored ? new HttpFailure('MALFORMED_REQUEST') : failure;
    const { problem, retryAfterSeconds, unexpected } = problemAnswerOf(error, request.id);
    if (unexpected)
      this.logger.error(
        { err: error, requestId: request.id, method: request.method, path: request.url.split('?', 1)[0] },
        'Unexpected failure',
      );
    if (reply.sent) return;
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', retryAfterSeconds);
    // A 401 names a way to authenticate (RFC 9110, section 15.5.2).
    if (problem.status === 401) reply.header('WWW-Authenticate', 'Bearer');
    if (isBrowserForm(request) && (problem.status === 405 || problem.status === 415)) {
      const page = reply.code(problem.status).headers({ ...this.headers.page, 'Cache-Control': 'no-store' });
      return void page.type('text/html; charset=utf-8').send(plainPage(problem.status));
    }
    void reply
      .code(problem.status)
      .headers({ ...this.headers.api, 'Cache-Control': 'no-store' })
      .type('application/problem+json; charset=utf-8')
      .send(JSON.stringify(problem));
  }
}

function isBrowserForm({ method, headers }: FastifyRequest): boolean {
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(
    headers['content-type'] ?? '',
  );
  return method === 'POST' && isForm && weightOf('text/html', headers.accept) > 0;
}
