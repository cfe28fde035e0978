import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { prepareHome } from '../embedded/home.js';
import { StackFailure } from './failure.js';
import { endProcesses, isRunning, processIdentity, type ProcessIdentity } from './processes.js';

type Command = 'npm start' | 'npm run restore';

interface Claim {
  /** The process that claimed the folder. Under `npm start`, it starts and stops all other processes. */
  supervisor: ProcessIdentity;
  /** Missing if an earlier version wrote the claim. */
  command?: Command;
  /** The `npm` that runs the supervisor. Once it is gone, the supervisor is about to stop as well. */
  npm?: ProcessIdentity;
  children: ProcessIdentity[];
}

/** The folder `DATA_DIR`. Only one supervisor may use it at a time. */
export class DataFolder {
  private children: ProcessIdentity[] = [];

  private constructor(
    readonly path: string,
    private readonly command: Command,
    private readonly npm: ProcessIdentity | undefined,
  ) {}

  /**
   * Claims the folder, and creates it if needed. First stops processes that a killed supervisor left running, and a supervisor whose npm has ended.
   * Throws a StackFailure if any other supervisor is running, or the folder cannot be used.
   */
  static async claim(path: string, command: Command): Promise<DataFolder> {
    prepareFolder(path);
    const folder = new DataFolder(
      path,
      command,
      process.env.npm_lifecycle_event ? processIdentity(process.ppid) : undefined,
    );
    const earlier = readJsonFile<Claim>(folder.claimFile);
    // If this process failed to release its own claim, it is allowed to claim the folder again.
    if (earlier && isRunning(earlier.supervisor) && earlier.supervisor.pid !== process.pid) {
      const abandoned = earlier.npm && !isRunning(earlier.npm);
      if (!abandoned) throw new StackFailure(refusal(earlier, path));
      await endProcesses([earlier.supervisor], 15_000);
    }
    if (earlier) await endProcesses(earlier.children, 5_000);
    folder.writeClaim();
    return folder;
  }

  private get claimFile(): string {
    return join(this.path, 'processes.json');
  }

  /** Records a child process, so that the next claim can stop it if this process is killed. */
  addChild(pid: number): void {
    const child = processIdentity(pid);
    if (!child) return;
    this.children = [...this.children.filter(isRunning), child];
    this.writeClaim();
  }

  release(): void {
    rmSync(this.claimFile, { force: true });
  }

  readJson<T>(name: string): T | undefined {
    return readJsonFile<T>(join(this.path, name));
  }

  /** Replaces the file atomically. Only its owner can read it. */
  writeJson(name: string, value: unknown): void {
    const file = join(this.path, name);
    const unfinished = `${file}.${process.pid}.new`;
    writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, file);
  }

  remove(name: string): void {
    rmSync(join(this.path, name), { force: true });
  }

  private writeClaim(): void {
    const supervisor = processIdentity(process.pid)!;
    const { command, npm, children } = this;
    const claim: Claim = { supervisor, command, ...(npm && { npm }), children };
    this.writeJson('processes.json', claim);
  }
}

function refusal({ supervisor: { pid }, command }: Claim, path: string): string {
  return command === 'npm run restore'
    ? `npm run restore (process ${pid}) is using the data in ${path}. Wait until it has finished, or set DATA_DIR to another folder.`
    : `The site is already running (process ${pid}) with the data in ${path}. Stop it, or set DATA_DIR to another folder.`;
}

function prepareFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o755 });
    accessSync(path, constants.W_OK | constants.X_OK);
    prepareHome(path);
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EACCES' || code === 'EPERM'
        ? 'this user may not write there'
        : code === 'EROFS'
          ? 'the file system is read-only'
          : code === 'EEXIST'
            ? 'it is a file, not a folder'
            : code === 'ENOTDIR'
              ? 'a folder above it is a file'
              : message;
    throw new StackFailure(`The data folder ${path} cannot be used: ${reason}. Set DATA_DIR to another one.`);
  }
}

function readJsonFile<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
