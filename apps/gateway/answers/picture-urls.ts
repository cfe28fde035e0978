import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Cors } from './cors.js';
import { SiteAddress } from './site-address.js';

/**
 * Picture URLs are stored relative to the site (`/images/…`), so that they survive a change of
 * `PUBLIC_URL`. A page on another origin would look for such a picture on its own server, so responses to such
 * a page contain absolute URLs. API answers therefore vary by `Origin`.
 */
@Injectable()
export class PictureUrls {
  constructor(
    private readonly site: SiteAddress,
    private readonly cors: Cors,
  ) {}

  /** Whether the request comes from a page on another origin that may read the answer. */
  areAbsoluteFor({ headers: { origin } }: IncomingMessage): boolean {
    return origin !== undefined && origin !== this.site.origin && this.cors.allows(origin);
  }

  /** A copy of an answer in which these fields, at any depth, have absolute URLs. */
  absolute(value: unknown, fields: ReadonlySet<string>): unknown {
    if (Array.isArray(value)) return value.map((each) => this.absolute(each, fields));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        fields.has(name) && isSiteRelative(each) ? this.site.url + each : this.absolute(each, fields),
      ]),
    );
  }

  /** A copy of a body in which URLs of this site are relative again, so that a record can be sent back as it was read. */
  relative<T extends Readonly<Record<string, unknown>>>(body: T, fields: ReadonlySet<string>): T {
    const own = `${this.site.url}/`;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        fields.has(name) && typeof value === 'string' && value.startsWith(own)
          ? value.slice(own.length - 1)
          : value,
      ]),
    ) as T;
  }
}

const isSiteRelative = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('/') && !value.startsWith('//');
