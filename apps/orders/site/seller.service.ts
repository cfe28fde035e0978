import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { imageFileAt } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { SiteCopies } from '#libs/database';

@Injectable()
export class SellerService {
  constructor(private readonly site: SiteCopies) {}

  /** Null if the site has no name. */
  async currentName(tx: EntityManager): Promise<string | null> {
    const site = await this.site.read(tx);
    return siteNameOf({ siteName: site.get('siteName'), footerAbout: site.get('footerAbout') }) ?? null;
  }

  /** Null without a logo that was uploaded here. */
  async currentLogo(tx: EntityManager): Promise<string | null> {
    const logo = (await this.site.read(tx)).get('logo')?.[0]?.logo;
    return typeof logo === 'string' && imageFileAt(logo) ? logo : null;
  }
}
