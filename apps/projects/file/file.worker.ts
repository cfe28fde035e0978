import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { isConnectionError, LeasedWork, transaction } from '#libs/database';
import {
  PROJECT_FILE_STORAGE,
  projectFileName,
  type ProjectFileStorage,
  projectPreviewName,
} from '#libs/file-storage';
import { LOGGER, type Logger } from '#libs/platform';
import { EntryRepository } from '../entry/entry.repository.js';
import { ProjectRepository } from '../project/project.repository.js';
import { FileTaskRepository, type LeasedTask } from './file-task.repository.js';
import type { FileRow } from './file.view.js';
import { FileRepository } from './file.repository.js';
import { PreviewRenderer, RendererStopped } from './preview-renderer.js';
import { VIRUS_SCANNER, type VirusScanner } from './virus-scanner.js';

const concurrency = 2;
const pollMs = 1_000;
const leaseMs = 5_000;
const retryPauses = { firstRetryMs: 1_000, longestRetryMs: 60_000 };
/** Larger files get no preview: the whole file would have to fit into the memory of the child process. */
const maxPreviewedBytes = 64 * 1024 * 1024;

/**
 * Examines complete files: scans them for viruses if there is a scanner, stores their hashes and makes their previews.
 *
 * A failed examination is repeated until it succeeds, so a file is held back as long as the scanner does not answer. A file of which no preview can
 * be made remains without one.
 */
@Injectable()
export class FileWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly work: LeasedWork<LeasedTask>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectRepository,
    private readonly entries: EntryRepository,
    private readonly files: FileRepository,
    private readonly tasks: FileTaskRepository,
    private readonly renderer: PreviewRenderer,
    @Inject(PROJECT_FILE_STORAGE) private readonly storage: ProjectFileStorage,
    @Inject(VIRUS_SCANNER) private readonly scanner: VirusScanner | null,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.work = new LeasedWork({
      lease: (count) => this.tasks.lease(count, leaseMs),
      renew: (leased) => this.tasks.renew(leased, leaseMs),
      capacity: () => concurrency,
      work: (leased) => this.process(leased),
      retry: {
        ...retryPauses,
        message: 'A file could not be examined; will retry',
        triesOf: ({ tries }) => tries,
        postpone: (leased, pauseMs) => this.tasks.postpone(leased, pauseMs),
      },
      onError: (error, message, leased) => this.report(error, message, leased),
      ...{ pollMs, leaseMs },
    });
  }

  onApplicationBootstrap(): void {
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    // The files whose previews this interrupts are examined again, by another process or after the next start.
    this.renderer.stop();
    await this.work.stop();
  }

  poll(): void {
    this.work.poll();
  }

  private async process(leased: LeasedTask): Promise<void> {
    await this.examine(leased.fileId);
    await this.tasks.finish(leased);
  }

  private async examine(id: string): Promise<void> {
    const file = await this.files.find(id);
    if (!file) return;
    // The bytes have been copied to the storage of files.
    await this.storage.uploads.remove(id);
    const outcome = await this.hashAndScan(file);
    await this.record(file, (tx) => this.files.markExamined(tx, id, outcome));
    if (outcome.infected || file.preview !== 'rendering') return;
    const preview = await this.makePreview(file);
    await this.record(file, (tx) => this.files.markPreview(tx, id, preview));
  }

  /** If the file is attached to a message or note, also makes open threads read that again. */
  private async record(
    { id, projectId }: FileRow,
    mark: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await transaction(this.dataSource, async (tx) => {
      const project = await this.projects.lock(tx, projectId);
      await mark(tx);
      const { attachedTo, attachedToId } = (await this.files.find(id, tx)) ?? {};
      if (project && (attachedTo === 'message' || attachedTo === 'note'))
        await this.entries.markChanged(tx, project, attachedTo, attachedToId!);
    });
  }

  /** The hash of an infected file is null. */
  private async hashAndScan(file: FileRow): Promise<{ sha256: string | null; infected: boolean }> {
    const hash = createHash('sha256');
    const bytes = hashed(await this.read(file.id), hash);
    // A file is not scanned if there is no scanner, or was none when it was uploaded, or if an earlier examination has already scanned it.
    if (file.state !== 'scanning' || !this.scanner) {
      for await (const chunk of bytes) void chunk;
      return { sha256: hash.digest('hex'), infected: false };
    }
    const verdict = await this.scanner.scan(bytes);
    if (verdict.infected) {
      this.logger.warn(
        { file: file.id, project: file.projectId, virus: verdict.virus },
        'A file has a virus',
      );
      return { sha256: null, infected: true };
    }
    return { sha256: hash.digest('hex'), infected: false };
  }

  private async makePreview({ id, type, bytes }: FileRow): Promise<'ready' | 'none'> {
    const picture = bytes <= maxPreviewedBytes ? await this.render(id, type!) : undefined;
    if (picture) {
      // An attempt that was not finished may have left a preview.
      await this.storage.previews.remove(id);
      await this.storage.previews.put(id, [{ name: projectPreviewName, body: picture }]);
    }
    return picture ? 'ready' : 'none';
  }

  private async render(id: string, type: string): Promise<Buffer | undefined> {
    const file = await openNameless();
    try {
      for await (const chunk of (await this.read(id)) as AsyncIterable<Buffer>) await file.writeFile(chunk);
      return await this.renderer.render(file, type);
    } finally {
      await file.close();
    }
  }

  private async read(id: string): Promise<Readable> {
    const bytes = await this.storage.files.findStream(id, projectFileName);
    if (!bytes) throw new Error('The bytes of a file are missing');
    return bytes;
  }

  /** Logs all errors but two: the readiness check reports an unreachable Postgres, and after `RendererStopped` the file is examined again. */
  private report(error: unknown, message: string, leased?: LeasedTask): void {
    if (!isConnectionError(error) && !(error instanceof RendererStopped))
      this.logger.error({ err: error, file: leased?.fileId }, message);
  }
}

async function* hashed(bytes: Readable, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A file that the system deletes when it is closed. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `.preview-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}
