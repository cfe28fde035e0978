import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type AuditChange,
  DomainError,
  type HandlerInputs,
  type Image,
  imageAddress,
  imageContract,
  type Output,
  type PageOf,
} from '#libs/contracts';
import { AuditTrail, Inbox, type RecordSelection } from '#libs/database';
import { Handles, type RequestContext } from '#libs/transport';
import { SiteAnnouncer } from '../site-version/site-announcer.js';
import { SiteVersionRepository } from '../site-version/site-version.repository.js';
import type { ImageEntity } from './image.entity.js';
import { ImageRepository, type ImageUses } from './image.repository.js';

type Input = HandlerInputs<typeof imageContract>;

/** Far more than an agency's site needs. */
const maxImages = 20_000;

/** The transport has checked the caller's role. */
@Injectable()
export class ImageService {
  constructor(
    private readonly inbox: Inbox,
    private readonly audit: AuditTrail,
    private readonly images: ImageRepository,
    private readonly siteVersion: SiteVersionRepository,
    private readonly announcer: SiteAnnouncer,
  ) {}

  /**
   * Goes through the inbox although it only reads, because a request id that was used with other bytes has to be refused. The reply is not stored: a
   * repeated call looks again, because the picture may exist by now.
   */
  @Handles(imageContract.find)
  find({ digest }: Input['find'], context: RequestContext): Promise<Image | null> {
    const find = (tx: EntityManager) => this.findByDigest(tx, digest);
    return this.inbox.once(context, find, { toStored: () => null, restore: (_nothing, tx) => find(tx) });
  }

  /** Returns the earlier picture if the same file was uploaded before, even if the library is full. Throws COLLECTION_FULL. */
  @Handles(imageContract.add)
  add(input: Input['add'], context: RequestContext): Promise<Image> {
    return this.inbox.once(context, async (tx) => {
      const { actor } = context;
      const uploadedBy = 'accountId' in actor ? actor.accountId : null;
      await this.images.insert(tx, { ...this.images.make({ ...input, uploadedBy }), id: input.id });
      const image = (await this.findByDigest(tx, input.digest))!;
      if (image._id !== input.id) return image;
      if ((await this.images.count(tx)) > maxImages) throw new DomainError('COLLECTION_FULL');
      await this.logChange(tx, context, 'created', image, null, auditedFieldsOf(image));
      return image;
    });
  }

  /** Throws INVALID_INPUT; UNAVAILABLE for a search that takes too long. */
  @Handles(imageContract.listImages)
  async list(request: Input['listImages']): Promise<PageOf<Image>> {
    const { items, ...page } = await this.images.list(request);
    const uses = await this.images.listUses();
    return { ...page, items: items.map((image) => view(image, uses)) };
  }

  @Handles(imageContract.getImage)
  async get({ id }: Input['getImage']): Promise<Image> {
    return view(await this.images.get(id), await this.images.listUses());
  }

  /** Advances the site's version if content shows the picture and its alternative text changes. Throws NOT_FOUND, VERSION_MISMATCH. */
  @Handles(imageContract.updateImage)
  async update({ id, ifVersion, ...body }: Input['updateImage'], context: RequestContext) {
    let siteVersion: number | undefined;
    const answer = await this.inbox.once(context, async (tx) => {
      const { image, uses } = await this.lock(tx, { id, ifVersion });
      const modified = image.name !== body.name || image.alt !== body.alt;
      if (!modified) return { record: view(image, uses), modified };
      const changesPages = image.alt !== body.alt && uses.has(image.id);
      const before = auditedFieldsOf(image);
      await this.images.update(tx, image, body);
      const record = view(image, uses);
      await this.logChange(tx, context, 'updated', record, before, auditedFieldsOf(image));
      if (changesPages) siteVersion = await this.siteVersion.advance(tx);
      return { record, modified };
    });
    if (siteVersion !== undefined) this.announcer.announce(siteVersion);
    return answer;
  }

  @Handles(imageContract.remove)
  remove(selection: Input['remove'], context: RequestContext): Promise<Output<typeof imageContract.remove>> {
    return this.inbox.once(context, async (tx) => {
      const { image, uses } = await this.lock(tx, selection);
      const current = view(image, uses);
      if (current.uses.length > 0) throw new DomainError('IMAGE_IN_USE', { current });
      await this.images.delete(tx, image.id);
      await this.logChange(tx, context, 'deleted', current, auditedFieldsOf(image), null);
      return { _id: image.id, files: current.files };
    });
  }

  @Handles(imageContract.known)
  async listExistingIds({ ids }: Input['known']): Promise<{ ids: string[] }> {
    return { ids: await this.images.listExistingIds(ids) };
  }

  /** Locks the content as well, so that no entry starts to use a picture that is being deleted. */
  private async lock(
    tx: EntityManager,
    selection: RecordSelection,
  ): Promise<{ image: ImageEntity; uses: ImageUses }> {
    await this.siteVersion.lock(tx);
    const uses = await this.images.listUses(tx);
    const image = await this.images.lock(tx, selection, (current) => view(current, uses));
    return { image, uses };
  }

  private logChange(
    tx: EntityManager,
    { actor }: RequestContext,
    change: AuditChange,
    { _id, name }: Image,
    before: AuditedFields | null,
    after: AuditedFields | null,
  ): Promise<void> {
    return this.audit.record(tx, actor, { section: 'image', recordId: _id, name, change, before, after });
  }

  private async findByDigest(tx: EntityManager, digest: string): Promise<Image | null> {
    const image = await this.images.findByDigest(tx, digest);
    return image && view(image, await this.images.listUses(tx));
  }
}

type AuditedFields = Pick<Image, 'name' | 'alt'>;

const auditedFieldsOf = ({ name, alt }: AuditedFields): AuditedFields => ({ name, alt });

function view(image: ImageEntity, uses: ImageUses): Image {
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
