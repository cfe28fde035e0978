import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ContentRecord } from '#libs/contracts';
import type { ContentCopy } from '#libs/transport';
import { PackageRepository } from './package.repository.js';

const packageRecord = z.object({
  packageName: z.string(),
  packagePrice: z.string().regex(/^\d+(\.\d{1,2})?$/),
});

@Injectable()
export class PackageProjectionService implements ContentCopy {
  readonly sections = ['pricingPackage'];

  constructor(private readonly packages: PackageRepository) {}

  async store(
    _section: string,
    id: string,
    record: ContentRecord | null,
    siteVersion: number,
  ): Promise<void> {
    const { data } = packageRecord.safeParse(record);
    // A package that was deleted, or has no name or no valid price, cannot be ordered.
    const row = data
      ? { id, name: data.packageName, price: data.packagePrice, deleted: false }
      : { id, name: '', price: '', deleted: true };
    await this.packages.store(row, siteVersion);
  }

  deleteAllExcept(ids: readonly string[], siteVersion: number): Promise<void> {
    return this.packages.deleteAllExcept(ids, siteVersion);
  }
}
