import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import {
  type HandlerInput,
  type imageContract,
  type ImageUse,
  type PageOf,
  uploadedImageIdIn,
} from '#libs/contracts';
import { newestFirst, RecordLists, RecordRepository } from '#libs/database';
import { Clock } from '#libs/runtime';
import { ImageEntity } from './image.entity.js';

/** By image id. */
export type ImageUses = ReadonlyMap<string, ImageUse[]>;

@Injectable()
export class ImageRepository extends RecordRepository<ImageEntity> {
  constructor(
    dataSource: DataSource,
    clock: Clock,
    private readonly lists: RecordLists,
  ) {
    super(ImageEntity, dataSource, clock);
  }

  /** Throws INVALID_INPUT; UNAVAILABLE for a search that takes too long. */
  list(request: HandlerInput<typeof imageContract.listImages>): Promise<PageOf<ImageEntity>> {
    return this.lists.page(ImageEntity, request, { order: newestFirst, searched: ['name', 'alt'] });
  }

  findByDigest(tx: EntityManager, digest: string): Promise<ImageEntity | null> {
    return tx.findOneBy(ImageEntity, { digest });
  }

  count(tx: EntityManager): Promise<number> {
    return tx.count(ImageEntity);
  }

  /** Does nothing if the same file was uploaded before. */
  override async insert(tx: EntityManager, image: ImageEntity): Promise<void> {
    await tx.createQueryBuilder().insert().into(ImageEntity).values(image).orIgnore().execute();
  }

  async delete(tx: EntityManager, id: string): Promise<void> {
    await tx.delete(ImageEntity, id);
  }

  async listExistingIds(
    ids: readonly string[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<string[]> {
    const found = await manager.find(ImageEntity, { where: { id: In(ids) }, select: { id: true } });
    return found.map(({ id }) => id);
  }

  /** Reads all entries; there are a few hundred. */
  async listUses(manager: EntityManager = this.dataSource.manager): Promise<ImageUses> {
    const rows = await manager.sql<(ImageUse & { value: string })[]>`
      SELECT section, id, field, value FROM entries, jsonb_each_text(body) AS fields (field, value)
      WHERE value LIKE '%/images/%' ORDER BY section, position, field`;
    const uses = new Map<string, ImageUse[]>();
    for (const { value, ...use } of rows) {
      const imageId = uploadedImageIdIn(value);
      if (imageId) uses.set(imageId, [...(uses.get(imageId) ?? []), use]);
    }
    return uses;
  }

  /** By image id. Leaves out images without an alternative text. */
  async listAltTextsInUse(): Promise<Record<string, string>> {
    const ids = [...(await this.listUses()).keys()];
    const rows = await this.dataSource.sql<{ id: string; alt: string }[]>`
      SELECT id, alt FROM images WHERE id = ANY (${ids}::uuid[]) AND alt <> '' ORDER BY id`;
    return Object.fromEntries(rows.map(({ id, alt }) => [id, alt]));
  }
}
