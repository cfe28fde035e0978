import { Inject, Injectable } from '@nestjs/common';
import type { SiteContentSnapshot } from '#libs/contracts';
import { SECURITY_HEADERS, type SecurityHeaders } from '../answers/security-headers.js';
import { SiteAddress } from '../answers/site-address.js';
import { StoredAnswer } from '../answers/stored-answer.js';
import { ContentCache } from '../content/content-cache.js';
import { robots } from './robots.js';
import { sitemap } from './sitemap.js';
import { webManifest } from './web-manifest.js';

interface SiteFile {
  contentType: string;
  textOf(site: SiteContentSnapshot, siteUrl: string): string;
}

const files = new Map<string, SiteFile>([
  ['/robots.txt', { contentType: 'text/plain', textOf: (_site, siteUrl) => robots(siteUrl) }],
  ['/sitemap.xml', { contentType: 'application/xml', textOf: sitemap }],
  ['/site.webmanifest', { contentType: 'application/manifest+json', textOf: webManifest }],
]);

/** Each file is made at most once for each version of the site's content. */
@Injectable()
export class SiteFiles {
  private readonly answers = new Map<string, { version: number; answer: StoredAnswer }>();

  constructor(
    private readonly content: ContentCache,
    private readonly siteAddress: SiteAddress,
    @Inject(SECURITY_HEADERS) private readonly headers: SecurityHeaders,
  ) {}

  /** Undefined if there is no such file. Rejects while there is no content. */
  at(path: string): Promise<StoredAnswer> | undefined {
    const file = files.get(path);
    return file && this.answer(path, file);
  }

  private async answer(path: string, { contentType, textOf }: SiteFile): Promise<StoredAnswer> {
    const site = this.content.latest;
    const previous = this.answers.get(path);
    if (previous?.version === site.version) return previous.answer;
    const answer = new StoredAnswer({
      status: 200,
      body: textOf(site, this.siteAddress.url),
      headers: {
        'Content-Type': `${contentType}; charset=utf-8`,
        'Cache-Control': 'public, no-cache',
        ...this.headers.api,
      },
    });
    this.answers.set(path, { version: site.version, answer });
    return answer;
  }
}
