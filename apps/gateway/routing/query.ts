import type { PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { DomainError, fieldErrors } from '#libs/contracts';
import type { Endpoint } from './endpoint.js';

/** A parameter that is `true` or `false`. */
export function yesOrNo() {
  return z.enum(['true', 'false']).transform((text) => text === 'true');
}

/** Parses the query string by its endpoint's schema: INVALID_INPUT with one entry per bad parameter. Others are passed over. */
export class ParsedQuery implements PipeTransform {
  constructor(private readonly endpoint: Endpoint) {}

  transform(query: unknown): unknown {
    const result = this.endpoint.query!.safeParse(query);
    if (!result.success) throw DomainError.invalid(fieldErrors(result.error));
    return result.data;
  }
}
