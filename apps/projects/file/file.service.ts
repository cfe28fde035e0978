import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type Actor,
  DomainError,
  fileLimits,
  type HandlerInputs,
  type ProjectFile,
  projectFileContract,
} from '#libs/contracts';
import { Inbox, uuidv7 } from '#libs/database';
import { PROJECT_FILE_STORAGE, projectFileName, type ProjectFileStorage } from '#libs/file-storage';
import { Clock, addSeconds } from '#libs/runtime';
import { Handles, type RequestContext } from '#libs/transport';
import { AuthorService } from '../access/author.service.js';
import { personOf, ProjectAccess } from '../access/project-access.js';
import { FileExpiryWorker } from './file-expiry.worker.js';
import { fileNameOf } from './file-name.js';
import { FileTaskRepository } from './file-task.repository.js';
import { fileTypeOf, canHavePreview, headBytes } from './file-type.js';
import { FileRepository } from './file.repository.js';
import { type FileRow, fileView } from './file.view.js';
import { FileWorker } from './file.worker.js';
import { VIRUS_SCANNER, type VirusScanner } from './virus-scanner.js';

type Input = HandlerInputs<typeof projectFileContract>;

const daySeconds = 24 * 60 * 60;
/** An upload that is not finished expires after this time. */
const unfinishedSeconds = daySeconds;
/** A finished upload expires after this time, unless it is attached. */
const unattachedSeconds = 7 * daySeconds;

/** The gateway receives and sends the bytes of files. */
@Injectable()
export class FileService {
  constructor(
    private readonly files: FileRepository,
    private readonly tasks: FileTaskRepository,
    private readonly access: ProjectAccess,
    private readonly authors: AuthorService,
    private readonly inbox: Inbox,
    private readonly worker: FileWorker,
    private readonly expiry: FileExpiryWorker,
    private readonly clock: Clock,
    @Inject(PROJECT_FILE_STORAGE) private readonly storage: ProjectFileStorage,
    @Inject(VIRUS_SCANNER) private readonly scanner: VirusScanner | null,
  ) {}

  /** Locks the project, so that simultaneous uploads cannot exceed its limits. */
  @Handles(projectFileContract.beginUpload)
  async beginUpload(
    { projectId, asStaff, hidden, name, bytes }: Input['beginUpload'],
    context: RequestContext,
  ): Promise<{ fileId: string }> {
    return this.inbox.once(context, async (tx) => {
      const { accountId, name: uploaderName } = await this.authorize(tx, context.actor, projectId, asStaff);
      requireSize(bytes);
      const used = await this.files.measureUsage(tx, projectId);
      if (used.files >= fileLimits.projectFiles || used.bytes + bytes > fileLimits.projectBytes)
        throw new DomainError('COLLECTION_FULL', {}, 'This file would exceed the project’s storage limit.');
      const id = uuidv7();
      await this.files.insert(tx, {
        ...{ id, projectId, accountId, uploaderName, bytes },
        side: asStaff ? 'staff' : 'customer',
        hidden: asStaff && hidden,
        name: fileNameOf(name),
        expiresAt: addSeconds(this.clock.now(), unfinishedSeconds),
      });
      return { fileId: id };
    });
  }

  @Handles(projectFileContract.getUpload)
  async getUpload({ id }: Input['getUpload'], { actor }: RequestContext) {
    const file = await this.getOwnUnattached(actor, id);
    return { bytes: file.bytes, file: file.state === 'uploading' ? null : fileView(file) };
  }

  /** Copies the bytes from `uploads` to `files`, then marks the row as finished. If the process is killed in between, a retry finds the copy. */
  @Handles(projectFileContract.finishUpload)
  async finishUpload({ id }: Input['finishUpload'], context: RequestContext): Promise<ProjectFile> {
    const upload = await this.getOwnUnattached(context.actor, id);
    if (upload.state !== 'uploading') return fileView(upload);
    let type: string;
    try {
      type = await this.storeAndDetectType(upload);
    } catch (error) {
      // Another request may have finished the upload meanwhile, and its bytes may have been removed from `uploads`.
      const file = await this.getOwnUnattached(context.actor, id);
      if (file.state === 'uploading') throw error;
      return fileView(file);
    }
    const finished = await this.inbox.once(context, async (tx) => {
      const file = await this.getOwnUnattached(context.actor, id, tx);
      if (file.state !== 'uploading') return fileView(file);
      const state = this.scanner ? 'scanning' : 'ready';
      const preview = canHavePreview(type) ? 'rendering' : 'none';
      const expiresAt = addSeconds(this.clock.now(), unattachedSeconds);
      await this.files.markFinished(tx, id, { type, state, preview, expiresAt });
      await this.tasks.add(tx, id);
      return fileView({ ...file, type, state, preview, expiresAt });
    });
    this.worker.poll();
    return finished;
  }

  @Handles(projectFileContract.cancelUpload)
  async cancelUpload({ id }: Input['cancelUpload'], context: RequestContext): Promise<Record<string, never>> {
    await this.inbox.once(context, async (tx) => {
      const file = await this.getOwnUnattached(context.actor, id, tx);
      await this.files.discard(tx, file.id);
    });
    this.expiry.poll();
    return {};
  }

  @Handles(projectFileContract.getFile)
  async get({ id }: Input['getFile'], { actor }: RequestContext): Promise<ProjectFile> {
    const file = await this.getVisible(actor, id);
    if (file.state === 'infected' || file.state === 'uploading') throw new DomainError('NOT_FOUND');
    return fileView(file);
  }

  @Handles(projectFileContract.listProjectFiles)
  async list({ id }: Input['listProjectFiles'], { actor }: RequestContext): Promise<ProjectFile[]> {
    await this.access.forCustomer(actor, id);
    const files = await this.files.ofProject(id, { withHidden: false }, fileLimits.projectFiles);
    return files.map(fileView);
  }

  @Handles(projectFileContract.listStaffProjectFiles)
  async listForStaff({ id }: Input['listStaffProjectFiles'], { actor }: RequestContext) {
    await this.access.forStaff(actor, id);
    const files = await this.files.ofProject(id, { withHidden: true }, fileLimits.projectFiles);
    return files.map((file) => ({ ...fileView(file), hidden: file.hidden }));
  }

  /**
   * Throws INVALID_TRANSITION if the file is attached. Attached files cannot be deleted, because the draft of a brief that lists a deleted file could
   * not be saved.
   */
  @Handles(projectFileContract.deleteProjectFile)
  async delete({ id }: Input['deleteProjectFile'], context: RequestContext): Promise<{ _id: string }> {
    const deleted = await this.inbox.once(context, async (tx) => {
      const file = await this.getVisible(context.actor, id, tx);
      if (file.state === 'uploading') throw new DomainError('NOT_FOUND');
      const isOwn = file.accountId === personOf(context.actor).accountId;
      if (!isOwn || file.attachedTo !== null) throw new DomainError('INVALID_TRANSITION');
      await this.files.discard(tx, file.id);
      return { _id: file.id };
    });
    this.expiry.poll();
    return deleted;
  }

  /** Checks access and locks the project. Returns the author. */
  private async authorize(tx: EntityManager, actor: Actor, projectId: string, asStaff: boolean) {
    return asStaff
      ? this.authors.ofStaff(await this.access.forStaff(actor, projectId, tx), tx)
      : this.authors.ofCustomer(await this.access.forCustomer(actor, projectId, tx), tx);
  }

  /** The caller's upload, not attached and not expired. In a transaction, locks it. Throws NOT_FOUND. */
  private async getOwnUnattached(actor: Actor, id: string, tx?: EntityManager): Promise<FileRow> {
    const file = await this.getAfterCheck(id, (found) => this.requireAccess(actor, found, tx), tx);
    const isOwnUnattached = file.accountId === personOf(actor).accountId && file.attachedTo === null;
    if (!isOwnUnattached || file.expiresAt! <= this.clock.now()) throw new DomainError('NOT_FOUND');
    return file;
  }

  /**
   * A file that the caller may see: one that is attached, or their own upload that has not expired. Hidden ones are only for staff. In a transaction,
   * locks the file. Throws NOT_FOUND.
   */
  private async getVisible(actor: Actor, id: string, tx?: EntityManager): Promise<FileRow> {
    const isStaff = actor.role === 'admin';
    const file = await this.getAfterCheck(
      id,
      ({ projectId }) => this.access[isStaff ? 'forStaff' : 'forCustomer'](actor, projectId, tx),
      tx,
    );
    if (file.hidden && !isStaff) throw new DomainError('NOT_FOUND');
    const isOwn = file.accountId === personOf(actor).accountId;
    if (file.attachedTo === null && !(isOwn && file.expiresAt! > this.clock.now()))
      throw new DomainError('NOT_FOUND');
    return file;
  }

  /** In a transaction, locks the project (by `check`) before the file, as calls that attach files do. Throws NOT_FOUND. */
  private async getAfterCheck(
    id: string,
    check: (file: FileRow) => Promise<unknown>,
    tx?: EntityManager,
  ): Promise<FileRow> {
    const found = await this.files.find(id, tx);
    if (!found) throw new DomainError('NOT_FOUND');
    await check(found);
    const file = tx ? await this.files.lock(tx, id) : found;
    if (!file) throw new DomainError('NOT_FOUND');
    return file;
  }

  /** Requires access on the side, customer or staff, that uploaded the file. Throws NOT_FOUND, also for somebody who is no longer staff. */
  private async requireAccess(
    actor: Actor,
    { side, projectId }: FileRow,
    tx: EntityManager | undefined,
  ): Promise<void> {
    if (side === 'customer') await this.access.forCustomer(actor, projectId, tx);
    else if (actor.role === 'admin') await this.access.forStaff(actor, projectId, tx);
    else throw new DomainError('NOT_FOUND');
  }

  /** Returns the media type. Throws INVALID_TRANSITION if the upload is not complete. */
  private async storeAndDetectType({ id, bytes }: FileRow): Promise<string> {
    const { uploads, files } = this.storage;
    if ((await uploads.findSize(id)) !== bytes) throw new DomainError('INVALID_TRANSITION');
    await uploads.finish(id, projectFileName);
    const head = await files.findStream(id, projectFileName, {
      start: 0,
      end: Math.min(bytes, headBytes) - 1,
    });
    if (!head) throw new DomainError('UNAVAILABLE');
    const chunks: Buffer[] = [];
    for await (const chunk of head as AsyncIterable<Buffer>) chunks.push(chunk);
    return fileTypeOf(Buffer.concat(chunks));
  }
}

function requireSize(bytes: number): void {
  const message = bytes < 1 ? 'is empty' : 'is larger than 200 MB';
  if (bytes < 1 || bytes > fileLimits.bytes) throw DomainError.invalid([{ field: 'file', message }]);
}
