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
  /** Compiled beside this file. */
  program?: string;
  execArgv?: string[];
  /** Milliseconds after the last drawing until the process is let go. */
  idleMs?: number;
  /** Milliseconds that all drawings under way may take together. */
  deadlineMs?: number;
}

/**
 * Draws previews in a process of its own, which is started for the first of them and ends soon after the last: the drawing
 * library leaves 80 MB behind wherever it has worked, and its native code can at worst cost a picture.
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

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Rejects when it cannot be drawn in time. */
  draw(preview: Preview): Promise<Buffer> {
    const child = (this.child ??= this.start());
    const request: DrawingRequest = { id: (this.lastId += 1), preview };
    return new Promise((resolve, reject) => {
      this.awaited.set(request.id, { resolve, reject });
      this.keepTime();
      child.send(request, (error) => error && this.lose(child, error.message));
    });
  }

  /** Lets go of the process at once. */
  stop(): void {
    if (this.child) this.lose(this.child, 'The drawing process was stopped.');
  }

  private start(): ChildProcess {
    const child = fork(this.program, { execArgv: this.execArgv, serialization: 'advanced' });
    child.on('message', (answer: DrawingAnswer) => this.take(answer));
    child.on('error', (error) => this.lose(child, error.message));
    child.once('exit', () => this.lose(child, 'The drawing process ended.'));
    // It shall not keep a renderer from ending that has nothing else to do.
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

  /** The next drawing starts another process. */
  private lose(child: ChildProcess, reason: string): void {
    if (child !== this.child) return;
    this.child = undefined;
    clearTimeout(this.timer);
    child.kill('SIGKILL');
    for (const { reject } of this.awaited.values()) reject(new Error(reason));
    this.awaited.clear();
  }
}
