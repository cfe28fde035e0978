import { open, readFile, rename } from 'node:fs/promises';
import type { Snapshot } from './paypal.js';

interface SavedState {
  version: 1;
  state: Snapshot;
}

/** Saves the simulator's state to a file, atomically and never twice at the same time. */
export class SnapshotFile {
  private writing: Promise<void> = Promise.resolve();
  private queued: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private dirty = false;

  constructor(
    private readonly path: string,
    private readonly failed: (error: Error) => void,
  ) {}

  /** The last saved state; undefined at the first start. A file that cannot be read is renamed. */
  async read(): Promise<Snapshot | undefined> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const { version, state } = JSON.parse(text) as SavedState;
      if (version !== 1) throw new Error(`it is of version ${String(version)}`);
      return state;
    } catch (error) {
      await rename(this.path, `${this.path}.unreadable`);
      this.failed(error as Error);
      return undefined;
    }
  }

  /** Schedules a save within half a second. */
  changed(snapshot: () => Snapshot): void {
    this.dirty = true;
    this.timer ??= setTimeout(() => void this.save(snapshot), 500);
    this.timer.unref();
  }

  /** Resolves when all changes so far are saved. */
  save(snapshot: () => Snapshot): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.dirty) return this.writing;
    // Calls during a save share the next one.
    this.queued ??= this.writing.then(async () => {
      this.queued = undefined;
      this.dirty = false;
      this.writing = this.write({ version: 1, state: snapshot() });
      await this.writing;
    });
    return this.queued;
  }

  private async write(content: SavedState): Promise<void> {
    const unfinished = `${this.path}.new`;
    try {
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(JSON.stringify(content));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, this.path);
    } catch (error) {
      this.dirty = true;
      this.failed(error as Error);
    }
  }
}
