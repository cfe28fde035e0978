import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReceivedMail } from './received-mail.js';

export type ReadAnswer = { mail: ReceivedMail } | { fault: string };

export interface MailReaderOptions {
  /** The program of each worker thread. Default: the compiled one next to this file. */
  program?: string;
  execArgv?: string[];
  deadlineMs?: number;
}

export const MAIL_READER_OPTIONS = Symbol('mail reader options');

/** The mail is malformed, or takes too much time or memory. */
export class UnreadableMail extends Error {}

/** Reads each mail in a worker thread of its own, because parsing some mails takes minutes or much memory. */
export class IsolatedMailReader {
  private readonly workers = new Set<Worker>();

  constructor(private readonly options: MailReaderOptions = {}) {}

  /**
   * Takes over the memory of `raw`, which is empty afterwards. Rejects with `UnreadableMail` if the mail is the cause. Rejects with another error if
   * the thread fails for another reason: then the mail can be read later.
   */
  async read(raw: Uint8Array<ArrayBuffer>): Promise<ReceivedMail> {
    const { deadlineMs = 20_000 } = this.options;
    const worker = this.startWorker(raw);
    const answer = await new Promise<ReadAnswer>((resolve, reject) => {
      const fail = (fault: string) => resolve({ fault });
      const timer = setTimeout(() => fail('Reading the mail took too long.'), deadlineMs);
      worker.once('message', (read: ReadAnswer) => resolve(read));
      worker.once('error', (error) => (isOutOfMemory(error) ? fail(error.message) : reject(error)));
      worker.once('exit', () => {
        clearTimeout(timer);
        reject(new Error('The thread that reads a mail has ended without an answer'));
      });
    });
    await worker.terminate();
    if ('fault' in answer) throw new UnreadableMail(answer.fault);
    return answer.mail;
  }

  stop(): void {
    for (const worker of this.workers) void worker.terminate();
  }

  private startWorker(raw: Uint8Array<ArrayBuffer>): Worker {
    const { program = fileURLToPath(new URL('./mail-reader.js', import.meta.url)), execArgv = [] } =
      this.options;
    const worker = new Worker(program, {
      execArgv,
      env: {},
      workerData: raw,
      transferList: [raw.buffer],
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    });
    this.workers.add(worker);
    worker.once('exit', () => this.workers.delete(worker));
    worker.unref();
    return worker;
  }
}

const isOutOfMemory = (error: Error) => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
