import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { concatMap, map, type Observable } from 'rxjs';
import type { Operation } from '#libs/contracts';
import { PictureUrls } from '../answers/picture-urls.js';
import { operationKey } from './serves.js';

/** For each value of `Operation.invalidates`: drops or updates the gateway's copies of what a call may have changed. */
export type Invalidations = Readonly<
  Record<NonNullable<Operation['invalidates']>, () => Promise<void> | void>
>;
export const INVALIDATIONS = Symbol('invalidations');

/** Brings the gateway's own copies up to date, then parses the answer with its schema, so that nothing undeclared leaves the gateway. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly pictureUrls: PictureUrls,
    @Inject(INVALIDATIONS) private readonly invalidations: Invalidations,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const operation = this.reflector.get<Operation>(operationKey, context.getHandler());
    const { answer, invalidates, pictureFields } = operation;
    const { raw } = context.switchToHttp().getRequest<FastifyRequest>();
    const parseAnswer = map((value: unknown) => {
      // The handler has written the reply by itself (`Operation.writesReply`), or the operation has no answer.
      if (value === undefined) return undefined;
      const parsed = answer.parse(value);
      return pictureFields && this.pictureUrls.areAbsoluteFor(raw)
        ? this.pictureUrls.toAbsolute(parsed, pictureFields)
        : parsed;
    });
    if (!invalidates) return next.handle().pipe(parseAnswer);
    return next.handle().pipe(
      concatMap(async (value: unknown) => {
        await this.invalidations[invalidates]();
        return value;
      }),
      parseAnswer,
    );
  }
}
