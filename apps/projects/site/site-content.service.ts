import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { pricingPackage, siteName, siteNameOf } from '#libs/content-model';
import { SiteCopies } from '#libs/database';
import { ContentFollower } from '#libs/transport';

export interface OfferedPackage {
  id: string;
  name: string;
}

@Injectable()
export class SiteContentService {
  constructor(
    private readonly site: SiteCopies,
    private readonly content: ContentFollower,
  ) {}

  /** In the order of their names. */
  async listPackagesOnOffer(manager?: EntityManager): Promise<OfferedPackage[]> {
    const records = (await this.site.read(manager)).get(pricingPackage.name) ?? [];
    return records
      .flatMap(({ _id, packageName }) =>
        typeof _id === 'string' && typeof packageName === 'string' ? { id: _id, name: packageName } : [],
      )
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** If this service's copy of the content lacks the package, the copy is brought up to date first, provided that the content service answers. */
  async findPackage(name: string): Promise<OfferedPackage | null> {
    const find = async () => (await this.listPackagesOnOffer()).find((one) => one.name === name) ?? null;
    const known = await find();
    if (known) return known;
    await this.content.refresh().catch(() => undefined);
    return find();
  }

  async getSiteName(manager?: EntityManager): Promise<string> {
    const site = await this.site.read(manager);
    const records = { siteName: site.get(siteName.name), footerAbout: site.get('footerAbout') };
    return siteNameOf(records) ?? 'The site';
  }
}
