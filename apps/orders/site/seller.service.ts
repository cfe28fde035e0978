import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SiteCopies } from '#libs/database';

/** Who sells, for receipts. */
@Injectable()
export class SellerService {
  constructor(private readonly site: SiteCopies) {}

  /** The site's present name; null if the content has none. */
  async currentName(tx: EntityManager): Promise<string | null> {
    const heading = (await this.site.read(tx)).get('footerAbout')?.[0]?.aboutFooterText;
    return (typeof heading === 'string' && heading.replace(/\s+/g, ' ').trim()) || null;
  }
}
