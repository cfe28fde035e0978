import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LinkPreview } from './preview.js';

export interface DrawingRequest {
  id: number;
  preview: LinkPreview;
}

export type DrawingAnswer = { id: number; image: Uint8Array } | { id: number; fault: string };

interface PendingDrawing {
  resolve(image: Buffer): void;
  reject(error: Error): void;
  deadline: NodeJS.Timeout;
}

interface Options {
  /** Default: the compiled program next to this file. */
  program?: string;
  execArgv?: string[];
  /** Ends the process this long after the last drawing. */
  idleMs?: number;
  /** How long a drawing may take before the process is ended. */
  deadlineMs?: number;
}

/**
 * Draws previews in a separate process, which ends soon after the last drawing. The drawing library keeps a lot of memory (docs/adr/0007), and a
 * crash of its native code fails only the drawings in progress.
 */
export class DrawingProcess {
  private child: ChildProcess | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private lastId = 0;
  private readonly pending = new Map<number, PendingDrawing>();
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

  /** Undefined while there is no process. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Rejects if the preview cannot be drawn in time. */
  draw(preview: LinkPreview): Promise<Buffer> {
    const child = (this.child ??= this.start());
    const request: DrawingRequest = { id: (this.lastId += 1), preview };
    clearTimeout(this.idleTimer);
    return new Promise((resolve, reject) => {
      const late = () => this.discard(child, 'The drawing took too long.');
      const deadline = setTimeout(late, this.deadlineMs).unref();
      this.pending.set(request.id, { resolve, reject, deadline });
      child.send(request, (error) => error && this.discard(child, error.message));
    });
  }

  stop(): void {
    if (this.child) this.discard(this.child, 'The drawing process was stopped.');
  }

  private start(): ChildProcess {
    const child = fork(this.program, { execArgv: this.execArgv, serialization: 'advanced' });
    child.on('message', (answer: DrawingAnswer) => this.settle(answer));
    child.on('error', (error) => this.discard(child, error.message));
    child.once('exit', () => this.discard(child, 'The drawing process ended.'));
    // The child must not keep the web process from ending.
    child.unref();
    child.channel?.unref();
    return child;
  }

  private settle(answer: DrawingAnswer): void {
    const pending = this.pending.get(answer.id);
    // Already rejected, because its process was discarded.
    if (!pending) return;
    this.pending.delete(answer.id);
    clearTimeout(pending.deadline);
    if (this.pending.size === 0) this.idleTimer = setTimeout(() => this.stop(), this.idleMs).unref();
    if ('image' in answer) pending.resolve(Buffer.from(answer.image));
    else pending.reject(new Error(answer.fault));
  }

  /** Also rejects the pending drawings. The next drawing starts another process. */
  private discard(child: ChildProcess, reason: string): void {
    if (child !== this.child) return;
    this.child = undefined;
    clearTimeout(this.idleTimer);
    child.kill('SIGKILL');
    for (const { reject, deadline } of this.pending.values()) {
      clearTimeout(deadline);
      reject(new Error(reason));
    }
    this.pending.clear();
  }
}
