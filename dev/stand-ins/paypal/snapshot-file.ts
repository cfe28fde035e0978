import { open, readFile, rename } from 'node:fs/promises';
import type { Snapshot } from './paypal.js';

interface SavedState {
  version: 1;
  state: Snapshot;
}

/** The file that keeps the simulator's state. Each save is atomic, and saves never overlap. */
export class SnapshotFile {
  private writing: Promise<void> = Promise.resolve();
  private queued: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private dirty = false;

  constructor(
    private readonly path: string,
    private readonly reportFailure: (error: Error) => void,
  ) {}

  /** Returns undefined if there is no file yet. Renames a file of another version or with invalid JSON, and returns undefined. */
  async readOrSetAside(): Promise<Snapshot | undefined> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const { version, state } = JSON.parse(text) as SavedState;
      if (version !== 1) throw new Error(`unknown version ${String(version)}`);
      return state;
    } catch (error) {
      const renamed = `${this.path}.unreadable`;
      await rename(this.path, renamed);
      this.reportFailure(new Error(`cannot be read (${(error as Error).message}); renamed to ${renamed}`));
      return undefined;
    }
  }

  /** Saves within half a second. */
  saveSoon(takeSnapshot: () => Snapshot): void {
    this.dirty = true;
    this.timer ??= setTimeout(() => void this.save(takeSnapshot), 500);
    this.timer.unref();
  }

  /** Saves all changes so far. Resolves even if that fails; `reportFailure` gets the error, and the next save tries again. */
  save(takeSnapshot: () => Snapshot): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.dirty) return this.writing;
    // Calls during a save share the next one.
    this.queued ??= this.writing.then(async () => {
      this.queued = undefined;
      this.dirty = false;
      this.writing = this.write({ version: 1, state: takeSnapshot() });
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
      this.reportFailure(error as Error);
    }
  }
}
