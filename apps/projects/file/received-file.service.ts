import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { fileLimits } from '#libs/contracts';
import { uuidv7 } from '#libs/database';
import { PROJECT_FILE_STORAGE, projectFileName, type ProjectFileStorage } from '#libs/file-storage';
import { Clock, addSeconds } from '#libs/runtime';
import type { ProjectAuthor } from '../access/author.service.js';
import { fileNameOf } from './file-name.js';
import { FileTaskRepository } from './file-task.repository.js';
import { fileTypeOf, canHavePreview, headBytes } from './file-type.js';
import { FileRepository } from './file.repository.js';
import { FileWorker } from './file.worker.js';
import { VIRUS_SCANNER, type VirusScanner } from './virus-scanner.js';

/** A reserved or finished file of a mail expires after this time, unless it is attached. */
const unattachedSeconds = 24 * 60 * 60;

/**
 * Files that arrive with a mail. They are reserved in one transaction, then stored, then finished in the transaction that posts their message. If the
 * process is killed in between, they expire.
 */
@Injectable()
export class ReceivedFileService {
  constructor(
    private readonly files: FileRepository,
    private readonly tasks: FileTaskRepository,
    private readonly worker: FileWorker,
    private readonly clock: Clock,
    @Inject(PROJECT_FILE_STORAGE) private readonly storage: ProjectFileStorage,
    @Inject(VIRUS_SCANNER) private readonly scanner: VirusScanner | null,
  ) {}

  /** Returns the file's id; null if the project has no room. Does not check access. Lock the project first. */
  async reserve(
    tx: EntityManager,
    projectId: string,
    { accountId, side, name: uploaderName }: ProjectAuthor,
    file: { name: string; bytes: number },
  ): Promise<string | null> {
    const { bytes } = file;
    const used = await this.files.measureUsage(tx, projectId);
    if (used.files >= fileLimits.projectFiles || used.bytes + bytes > fileLimits.projectBytes) return null;
    const id = uuidv7();
    const expiresAt = addSeconds(this.clock.now(), unattachedSeconds);
    const name = fileNameOf(file.name);
    await this.files.insert(tx, {
      id,
      projectId,
      accountId,
      uploaderName,
      bytes,
      side,
      hidden: false,
      name,
      expiresAt,
    });
    return id;
  }

  /** Makes room for others before the files would expire. */
  async release(tx: EntityManager, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.files.discard(tx, id);
  }

  async store(id: string, content: Buffer): Promise<void> {
    await this.storage.files.put(id, [{ name: projectFileName, body: content }]);
  }

  /** Lets the file be attached to a message. Call `store` first. */
  async finish(tx: EntityManager, id: string, content: Buffer): Promise<void> {
    const type = fileTypeOf(content.subarray(0, headBytes));
    await this.files.markFinished(tx, id, {
      type,
      state: this.scanner ? 'scanning' : 'ready',
      preview: canHavePreview(type) ? 'rendering' : 'none',
      expiresAt: addSeconds(this.clock.now(), unattachedSeconds),
    });
    await this.tasks.add(tx, id);
  }

  /** Call it after the commit of `finish`. */
  startExamination(): void {
    this.worker.poll();
  }
}
