import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from '#libs/contracts';

export interface RenderRequest {
  id: number;
  document: InvoiceDocument;
  /** PNG or JPEG. */
  logo?: Uint8Array | undefined;
}

export type RenderAnswer = { id: number; pdf: Uint8Array } | { id: number; fault: string };

interface PendingRender {
  resolve(pdf: Buffer): void;
  reject(error: Error): void;
}

export interface RenderingOptions {
  /** The program of the thread. Default: `invoice-renderer.js` next to this file. */
  program?: string;
  execArgv?: string[];
  /** How long the thread stays after the last document. */
  idleMs?: number;
  /** How long the thread may take after the latest request or answer. */
  deadlineMs?: number;
}

export const RENDERING_OPTIONS = Symbol('rendering options');

/** Renders documents in a worker thread, which ends soon after the last document, because fonts and the PDF library take memory. */
export class RenderingThread {
  private worker: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;
  private lastId = 0;
  private readonly pending = new Map<number, PendingRender>();

  constructor(private readonly options: RenderingOptions = {}) {}

  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /** Rejects if the document breaks a rule of EN 16931, or cannot be rendered in time. */
  render(document: InvoiceDocument, logo?: Uint8Array): Promise<Buffer> {
    const worker = (this.worker ??= this.start());
    const request: RenderRequest = { id: (this.lastId += 1), document, logo };
    return new Promise((resolve, reject) => {
      this.pending.set(request.id, { resolve, reject });
      this.restartTimer(worker);
      worker.postMessage(request);
    });
  }

  stop(): void {
    if (this.worker) this.discard(this.worker, 'The rendering thread was stopped.');
  }

  private start(): Worker {
    const { program = fileURLToPath(new URL('./invoice-renderer.js', import.meta.url)), execArgv = [] } =
      this.options;
    const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };
    const worker = new Worker(program, { execArgv, env: {}, resourceLimits: limits });
    worker.on('message', (answer: RenderAnswer) => this.settle(worker, answer));
    worker.on('error', (error) => this.discard(worker, error.message));
    worker.once('exit', () => this.discard(worker, 'The rendering thread ended.'));
    // Must not keep the process from ending.
    worker.unref();
    return worker;
  }

  private settle(worker: Worker, answer: RenderAnswer): void {
    const pending = this.pending.get(answer.id);
    this.pending.delete(answer.id);
    this.restartTimer(worker);
    if ('pdf' in answer) pending?.resolve(Buffer.from(answer.pdf));
    else pending?.reject(new Error(answer.fault));
  }

  private restartTimer(worker: Worker): void {
    if (worker !== this.worker) return;
    clearTimeout(this.timer);
    const { idleMs = 60_000, deadlineMs = 30_000 } = this.options;
    // An idle thread has no pending document that could be rejected with this reason.
    this.timer = setTimeout(
      () => this.discard(worker, 'The document took too long to render.'),
      this.pending.size === 0 ? idleMs : deadlineMs,
    ).unref();
  }

  /** Rejects the thread's pending documents. The next document starts another thread. */
  private discard(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    clearTimeout(this.timer);
    void worker.terminate();
    for (const { reject } of this.pending.values()) reject(new Error(reason));
    this.pending.clear();
  }
}
