import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { imageFileAt } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { SiteCopies } from '#libs/database';

/** Reads the site's name, which receipts and documents show, and its logo, which documents show. */
@Injectable()
export class SellerService {
  constructor(private readonly site: SiteCopies) {}

  /** The site's current name; null if the content has none. */
  async currentName(tx: EntityManager): Promise<string | null> {
    const site = await this.site.read(tx);
    return siteNameOf({ siteName: site.get('siteName'), footerAbout: site.get('footerAbout') }) ?? null;
  }

  /** The address of the site's logo; null if there is none that was uploaded here. */
  async currentLogo(tx: EntityManager): Promise<string | null> {
    const logo = (await this.site.read(tx)).get('logo')?.[0]?.logo;
    return typeof logo === 'string' && imageFileAt(logo) ? logo : null;
  }
}
