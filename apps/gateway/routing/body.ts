import type { PipeTransform } from '@nestjs/common';
import { DomainError, fieldErrors } from '#libs/contracts';
import type { Endpoint } from './endpoint.js';

/** Parses a body by its endpoint's schema: INVALID_INPUT with one entry per bad field. */
export class ParsedBody implements PipeTransform {
  constructor(private readonly endpoint: Endpoint) {}

  transform(body: unknown): unknown {
    if (body === null || typeof body !== 'object' || Array.isArray(body)) {
      throw DomainError.invalid([{ field: '', message: 'must be a JSON object' }]);
    }
    const result = this.endpoint.body!.safeParse(body);
    if (!result.success) throw DomainError.invalid(fieldErrors(result.error));
    return result.data;
  }
}
