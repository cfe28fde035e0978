import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { ENDPOINT, type Endpoint } from './endpoint.js';

/** Writes answers through the schema that documents them: what is not declared does not leave. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { answer } = this.reflector.get<Endpoint>(ENDPOINT, context.getHandler());
    return next
      .handle()
      .pipe(map((value: unknown) => (value === undefined ? undefined : answer.parse(value))));
  }
}
