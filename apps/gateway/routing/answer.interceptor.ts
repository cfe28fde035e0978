import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import type { FastifyRequest } from 'fastify';
import { PictureAddresses } from '../answers/picture-addresses.js';
import { ENDPOINT, type Endpoint } from './endpoint.js';

/** Writes answers through the schema that documents them: what is not declared does not leave. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly addresses: PictureAddresses,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { answer, pictures } = this.reflector.get<Endpoint>(ENDPOINT, context.getHandler());
    const { raw } = context.switchToHttp().getRequest<FastifyRequest>();
    const written = (value: unknown) => {
      const parsed = answer.parse(value);
      return pictures && this.addresses.areAbsoluteFor(raw)
        ? this.addresses.absolute(parsed, pictures)
        : parsed;
    };
    return next.handle().pipe(map((value: unknown) => (value === undefined ? undefined : written(value))));
  }
}
