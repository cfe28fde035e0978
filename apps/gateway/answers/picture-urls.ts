import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Cors } from './cors.js';
import { SiteAddress } from './site-address.js';

/**
 * Picture URLs are stored relative to the site (`/images/…`), so that they survive a change of `PUBLIC_URL`. Another website would look for such a
 * picture on its own server, so it gets absolute URLs if CORS lets it read the answer.
 */
@Injectable()
export class PictureUrls {
  constructor(
    private readonly siteAddress: SiteAddress,
    private readonly cors: Cors,
  ) {}

  areAbsoluteFor({ headers: { origin } }: IncomingMessage): boolean {
    return origin !== undefined && origin !== this.siteAddress.origin && this.cors.allows(origin);
  }

  /** A copy in which the URLs in these fields, at any depth, are absolute. */
  toAbsolute(value: unknown, fields: ReadonlySet<string>): unknown {
    if (Array.isArray(value)) return value.map((each) => this.toAbsolute(each, fields));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        fields.has(name) && isSiteRelative(each)
          ? this.siteAddress.url + each
          : this.toAbsolute(each, fields),
      ]),
    );
  }

  /** A copy in which this site's URLs in these top-level fields are relative again, so that a client can send back a record as it was read. */
  toRelative<T extends Readonly<Record<string, unknown>>>(body: T, fields: ReadonlySet<string>): T {
    const own = `${this.siteAddress.url}/`;
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
