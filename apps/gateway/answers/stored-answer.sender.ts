import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Cors } from './cors.js';
import { PictureUrls } from './picture-urls.js';
import type { StoredAnswer } from './stored-answer.js';

/** Bypasses Fastify, which has nothing to add to a stored answer. */
@Injectable()
export class StoredAnswerSender {
  constructor(
    private readonly cors: Cors,
    private readonly pictureUrls: PictureUrls,
  ) {}

  send(answer: StoredAnswer, { raw: request }: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    const corsHeaders = request.headers.origin === undefined ? [] : this.cors.headersFor(request);
    const answerForOrigin = this.pictureUrls.areAbsoluteFor(request) ? answer.forOtherOrigins : answer;
    answerForOrigin.write(request, reply.raw, corsHeaders);
  }
}
