import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemSender } from './problem.sender.js';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly sender: ProblemSender) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.sender.send(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
