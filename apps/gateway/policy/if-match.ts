import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '#libs/contracts';

/** The version that the caller has seen, from `If-Match: "<version>"`; undefined when any will do. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): number | undefined => {
  return readIfMatch(context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']);
});

/** A condition that cannot be read must not be passed over: INVALID_INPUT. */
export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const [, version] = /^\s*"(\d{1,9})"\s*$/.exec(header) ?? [];
  if (version !== undefined) return Number(version);
  throw DomainError.invalid([
    { field: 'If-Match', message: 'must be the version of the record in quotes, like "3"' },
  ]);
}
