import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { siteNameOf } from '#libs/content-model';
import { SiteCopies } from '#libs/database';

/** Knows the seller's name, which receipts show. */
@Injectable()
export class SellerService {
  constructor(private readonly site: SiteCopies) {}

  /** The site's current name; null if the content has none. */
  async currentName(tx: EntityManager): Promise<string | null> {
    const site = await this.site.read(tx);
    return siteNameOf({ siteName: site.get('siteName'), footerAbout: site.get('footerAbout') }) ?? null;
  }
}
