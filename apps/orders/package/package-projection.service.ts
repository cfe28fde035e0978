import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ContentRecord, contentChanged, EventPayload, SiteContentSnapshot } from '#libs/contracts';
import { type PackageRow, PackageRepository } from './package.repository.js';

/** The section of the site's content that holds the packages. */
const packageSection = 'pricingPackage';

const packageRecord = z.object({
  packageName: z.string(),
  packagePrice: z.string().regex(/^\d+(\.\d{1,2})?$/),
});

/** Keeps a copy of content's packages, so that placing an order does not need content. */
@Injectable()
export class PackageProjectionService {
  constructor(private readonly packages: PackageRepository) {}

  /** Applies one change of content. Changes of other sections are ignored. */
  async apply({ section, id, record, siteVersion }: EventPayload<typeof contentChanged>): Promise<void> {
    if (section !== packageSection) return;
    await this.packages.store([record ? rowOf(record) : deletedRow(id)], siteVersion);
  }

  /** Applies the whole site at one version: packages that are not in it have been deleted. */
  async applySnapshot({ version, sections }: SiteContentSnapshot): Promise<void> {
    const rows = (sections[packageSection] ?? []).map(rowOf);
    await this.packages.store(rows, version);
    await this.packages.deleteOthers(
      rows.map(({ id }) => id),
      version,
    );
  }
}

function rowOf(record: ContentRecord): PackageRow {
  const parsed = packageRecord.safeParse(record);
  // A package without a name or a price cannot be ordered.
  if (!parsed.success) return deletedRow(record._id);
  const { packageName: name, packagePrice: price } = parsed.data;
  return { id: record._id, name, price, deleted: false };
}

function deletedRow(id: string): PackageRow {
  return { id, name: '', price: '', deleted: true };
}
