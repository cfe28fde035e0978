import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { InvoiceDocument } from '#libs/contracts';

export interface RenderRequest {
  id: number;
  document: InvoiceDocument;
  /** The bytes of a PNG or JPEG file. */
  logo?: Uint8Array | undefined;
}

export type RenderAnswer = { id: number; pdf: Uint8Array } | { id: number; fault: string };

interface PendingRender {
  resolve(pdf: Buffer): void;
  reject(error: Error): void;
}

export interface RenderingOptions {
  /** The path of the program that the thread runs. Default: `invoice-renderer.js` next to this file. */
  program?: string;
  execArgv?: string[];
  /** Ends the thread this long after the last document, in milliseconds. */
  idleMs?: number;
  /** How long the thread may take after the latest request or answer, in milliseconds. */
  deadlineMs?: number;
}

/** Nest's injection token for `RenderingOptions`. */
export const RENDERING_OPTIONS = Symbol('rendering options');

/**
 * Renders documents outside of the event loop: in a thread that starts with the first document and ends soon after the last, because fonts and the
 * library for PDF files take memory.
 */
export class RenderingThread {
  private worker: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;
  private lastId = 0;
  private readonly pending = new Map<number, PendingRender>();

  constructor(private readonly options: RenderingOptions = {}) {}

  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /** The PDF that contains the e-invoice. Rejects if the document breaks a rule of EN 16931, or cannot be rendered in time. */
  render(document: InvoiceDocument, logo?: Uint8Array): Promise<Buffer> {
    const worker = (this.worker ??= this.start());
    const request: RenderRequest = { id: (this.lastId += 1), document, logo };
    return new Promise((resolve, reject) => {
      this.pending.set(request.id, { resolve, reject });
      this.restartTimer(worker);
      worker.postMessage(request);
    });
  }

  /** Ends the thread immediately. */
  stop(): void {
    if (this.worker) this.discard(this.worker, 'The rendering thread was stopped.');
  }

  private start(): Worker {
    const { program = fileURLToPath(new URL('./invoice-renderer.js', import.meta.url)), execArgv = [] } =
      this.options;
    const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };
    const worker = new Worker(program, { execArgv, env: {}, resourceLimits: limits });
    worker.on('message', (answer: RenderAnswer) => this.take(worker, answer));
    worker.on('error', (error) => this.discard(worker, error.message));
    worker.once('exit', () => this.discard(worker, 'The rendering thread ended.'));
    // Must not keep the process from ending.
    worker.unref();
    return worker;
  }

  private take(worker: Worker, answer: RenderAnswer): void {
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
    this.timer = setTimeout(
      () => this.discard(worker, 'The document took too long to render.'),
      this.pending.size === 0 ? idleMs : deadlineMs,
    ).unref();
  }

  /** Ends the thread, if it still runs, and rejects its pending documents. The next document starts another thread. */
  private discard(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    clearTimeout(this.timer);
    void worker.terminate();
    for (const { reject } of this.pending.values()) reject(new Error(reason));
    this.pending.clear();
  }
}
