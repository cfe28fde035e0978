import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { validate as isUuid } from 'uuid';
import {
  type AuditChange,
  DomainError,
  type HandlerInput,
  type Image,
  imageAddress,
  type imageContract,
  type ImageUse,
  type Output,
  type PageOf,
} from '#libs/contracts';
import { AuditTrail, containing, Inbox, listPage, ListTotals, newestFirst } from '#libs/database';
import type { RequestContext } from '#libs/transport';
import { SiteAnnouncer } from '../site-version/site-announcer.js';
import { advanceSite, lockSite } from '../site-version/site-version.js';
import { ImageEntity } from './image.entity.js';
import { imageUses } from '../entry/image-uses.js';

type Input<C extends keyof typeof imageContract> = HandlerInput<(typeof imageContract)[C]>;

/** No list is unbounded; an agency's site stays far below this. */
const imagesAtMost = 20_000;

/** What is known of uploaded pictures. Whoever asks has been checked by the transport (`contract.access`). */
@Injectable()
export class ImageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly inbox: Inbox,
    private readonly totals: ListTotals,
    private readonly announcer: SiteAnnouncer,
    private readonly audit: AuditTrail,
  ) {}

  /** Looks again when the same upload is repeated: its picture may be there by now. */
  find({ digest }: Input<'find'>, context: RequestContext): Promise<Image | null> {
    const look = (tx: EntityManager) => this.withDigest(tx, digest);
    return this.inbox.once(context, look, { store: () => null, restore: (_nothing, tx) => look(tx) });
  }

  add({ files, ...input }: Input<'add'>, context: RequestContext): Promise<Image> {
    return this.inbox.once(context, async (tx) => {
      if ((await tx.count(ImageEntity)) >= imagesAtMost) throw new DomainError('COLLECTION_FULL');
      const { actor } = context;
      const now = new Date();
      await tx
        .createQueryBuilder()
        .insert()
        .into(ImageEntity)
        .values({
          ...input,
          files,
          uploadedBy: 'accountId' in actor ? actor.accountId : null,
          version: 1,
          createdAt: now,
          updatedAt: now,
        })
        .orIgnore()
        .execute();
      const image = (await this.withDigest(tx, input.digest))!;
      // A picture that was there already is no change.
      if (image._id === input.id) await this.auditChange(tx, context, 'created', image, null, named(image));
      return image;
    });
  }

  async list({ search, ...request }: Input<'list'>): Promise<PageOf<Image>> {
    const { manager } = this.dataSource;
    const chosen = manager.createQueryBuilder(ImageEntity, 'image');
    if (search) {
      chosen.where('(image.name ILIKE :pattern OR image.alt ILIKE :pattern)', {
        pattern: containing(search),
      });
    }
    const total = await this.totals.of(chosen);
    const { items, nextCursor } = await listPage(chosen, request, newestFirst);
    const uses = await imageUses(manager);
    return { items: items.map((image) => view(image, uses)), total, nextCursor };
  }

  /** Throws NOT_FOUND. */
  async item(id: string): Promise<Image> {
    const { manager } = this.dataSource;
    const image = isUuid(id) ? await manager.findOneBy(ImageEntity, { id }) : null;
    if (!image) throw new DomainError('NOT_FOUND');
    return view(image, await imageUses(manager));
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH. What a picture shows is written on every page that has it. */
  async update(
    { id, ifVersion, ...body }: Input<'update'>,
    context: RequestContext,
  ): Promise<Output<typeof imageContract.update>> {
    let siteVersion: number | undefined;
    const answer = await this.inbox.once(context, async (tx) => {
      const { image, uses } = await this.hold(tx, id, ifVersion);
      const modified = image.name !== body.name || image.alt !== body.alt;
      if (!modified) return { record: view(image, uses), modified };
      const isSeen = image.alt !== body.alt && uses.has(image.id);
      const before = named(image);
      Object.assign(image, body, { version: image.version + 1, updatedAt: new Date() });
      await tx.save(image);
      const record = view(image, uses);
      await this.auditChange(tx, context, 'updated', record, before, named(image));
      if (isSeen) siteVersion = await advanceSite(tx);
      return { record, modified };
    });
    if (siteVersion !== undefined) this.announcer.announce(siteVersion);
    return answer;
  }

  /** Throws NOT_FOUND, VERSION_MISMATCH, IMAGE_IN_USE. */
  remove(
    { id, ifVersion }: Input<'remove'>,
    context: RequestContext,
  ): Promise<Output<typeof imageContract.remove>> {
    return this.inbox.once(context, async (tx) => {
      const { image, uses } = await this.hold(tx, id, ifVersion);
      const current = view(image, uses);
      if (current.uses.length > 0) throw new DomainError('IMAGE_IN_USE', { current });
      await tx.delete(ImageEntity, image.id);
      await this.auditChange(tx, context, 'deleted', current, named(image), null);
      return { _id: image.id, files: current.files };
    });
  }

  async known(ids: string[]): Promise<{ ids: string[] }> {
    const found = await this.dataSource.manager.find(ImageEntity, {
      where: { id: In(ids) },
      select: { id: true },
    });
    return { ids: found.map(({ id }) => id) };
  }

  /** The picture, with no change of content meanwhile: nobody begins to use what is being deleted. */
  private async hold(tx: EntityManager, id: string, ifVersion: number | undefined) {
    await lockSite(tx);
    const image = isUuid(id) ? await tx.findOneBy(ImageEntity, { id }) : null;
    if (!image) throw new DomainError('NOT_FOUND');
    const uses = await imageUses(tx);
    if (ifVersion !== undefined && ifVersion !== image.version) {
      throw new DomainError('VERSION_MISMATCH', { current: view(image, uses) });
    }
    return { image, uses };
  }

  private auditChange(
    tx: EntityManager,
    { actor }: RequestContext,
    change: AuditChange,
    { _id, name }: Image,
    before: Named | null,
    after: Named | null,
  ): Promise<void> {
    return this.audit.record(tx, actor, { section: 'image', recordId: _id, name, change, before, after });
  }

  private async withDigest(tx: EntityManager, digest: string): Promise<Image | null> {
    const image = await tx.findOneBy(ImageEntity, { digest });
    return image && view(image, await imageUses(tx));
  }
}

type Named = Pick<Image, 'name' | 'alt'>;

const named = ({ name, alt }: Named): Named => ({ name, alt });

function view(image: ImageEntity, uses: ReadonlyMap<string, ImageUse[]>): Image {
  return {
    _id: image.id,
    address: imageAddress(image.id, image.files[0]!.name),
    name: image.name,
    alt: image.alt,
    width: image.width,
    height: image.height,
    files: image.files,
    uploadedBy: image.uploadedBy,
    uses: uses.get(image.id) ?? [],
    createdAt: image.createdAt.toISOString(),
    updatedAt: image.updatedAt.toISOString(),
    version: image.version,
  };
}
