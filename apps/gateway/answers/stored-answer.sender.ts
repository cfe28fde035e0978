import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Cors } from '../policy/cors.js';
import { Draining } from './draining.js';
import type { StoredAnswer } from './stored-answer.js';

/** Writes a finished answer past Fastify, which has nothing to add to it. */
@Injectable()
export class StoredAnswerSender {
  constructor(
    private readonly cors: Cors,
    private readonly draining: Draining,
  ) {}

  send(answer: StoredAnswer, { raw: request }: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    this.draining.endConnection(reply.raw);
    const crossOrigin = request.headers.origin === undefined ? [] : this.cors.headersFor(request);
    answer.write(request, reply.raw, crossOrigin);
  }
}
