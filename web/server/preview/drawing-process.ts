import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Preview } from './preview.js';

export interface DrawingRequest {
  id: number;
  preview: Preview;
}

export type DrawingAnswer = { id: number; image: Uint8Array } | { id: number; fault: string };

interface Awaited {
  resolve(image: Buffer): void;
  reject(error: Error): void;
}

interface Options {
  /** The compiled program. Default: the one next to this file. */
  program?: string;
  execArgv?: string[];
  /** Ends the process this long after the last drawing, in milliseconds. */
  idleMs?: number;
  /** Limits the time of all drawings in progress together, in milliseconds. */
  deadlineMs?: number;
}

/**
 * Draws previews in a separate process, which starts with the first drawing and ends soon after the last: the
 * drawing library keeps 80 MB of memory, and a crash of its native code only costs a picture.
 */
export class DrawingProcess {
  private child: ChildProcess | undefined;
  private timer: NodeJS.Timeout | undefined;
  private lastId = 0;
  private readonly awaited = new Map<number, Awaited>();
  private readonly program: string;
  private readonly execArgv: string[];
  private readonly idleMs: number;
  private readonly deadlineMs: number;

  constructor({ program, execArgv = [], idleMs = 5_000, deadlineMs = 8_000 }: Options = {}) {
    this.program = program ?? fileURLToPath(new URL('./drawing-child.js', import.meta.url));
    this.execArgv = execArgv;
    this.idleMs = idleMs;
    this.deadlineMs = deadlineMs;
  }

  /** The process id; undefined while there is no process. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Rejects if it cannot be drawn in time. */
  draw(preview: Preview): Promise<Buffer> {
    const child = (this.child ??= this.start());
    const request: DrawingRequest = { id: (this.lastId += 1), preview };
    return new Promise((resolve, reject) => {
      this.awaited.set(request.id, { resolve, reject });
      this.keepTime();
      child.send(request, (error) => error && this.lose(child, error.message));
    });
  }

  /** Ends the process at once. */
  stop(): void {
    if (this.child) this.lose(this.child, 'The drawing process was stopped.');
  }

  private start(): ChildProcess {
    const child = fork(this.program, { execArgv: this.execArgv, serialization: 'advanced' });
    child.on('message', (answer: DrawingAnswer) => this.take(answer));
    child.on('error', (error) => this.lose(child, error.message));
    child.once('exit', () => this.lose(child, 'The drawing process ended.'));
    // Must not keep the renderer from ending.
    child.unref();
    child.channel?.unref();
    return child;
  }

  private take(answer: DrawingAnswer): void {
    const awaited = this.awaited.get(answer.id);
    this.awaited.delete(answer.id);
    this.keepTime();
    if ('image' in answer) awaited?.resolve(Buffer.from(answer.image));
    else awaited?.reject(new Error(answer.fault));
  }

  private keepTime(): void {
    clearTimeout(this.timer);
    const isIdle = this.awaited.size === 0;
    this.timer = setTimeout(
      () => this.child && this.lose(this.child, 'The drawing took too long.'),
      isIdle ? this.idleMs : this.deadlineMs,
    ).unref();
  }

  /** Rejects the drawings of a process that has ended. The next drawing starts another process. */
  private lose(child: ChildProcess, reason: string): void {
    if (child !== this.child) return;
    this.child = undefined;
    clearTimeout(this.timer);
    child.kill('SIGKILL');
    for (const { reject } of this.awaited.values()) reject(new Error(reason));
    this.awaited.clear();
  }
}
