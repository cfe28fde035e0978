import { type ChildProcess, fork } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { DomainError } from '#libs/contracts';
import { FairQueue } from '#libs/platform';
import type { ImageLimits, ProcessedImage } from './process-image.js';

/** The descriptor of the upload in the child; descriptor 3 is the IPC channel. */
export const uploadFd = 4;

export interface ChildTask {
  limits: ImageLimits;
  maxMemoryBytes: number;
}
export type ChildAnswer = { image: ProcessedImage } | { unusable: string } | { fault: string };

export interface ChildProgram {
  program: string;
  execArgv: string[];
}

export const IMAGE_CHILD = Symbol('image child');

export interface ImageProcessorOptions {
  limits: ImageLimits;
  /** The child's total memory. */
  maxMemoryBytes?: number;
  /** Milliseconds for one picture. */
  deadlineMs?: number;
  /** How many pictures may wait. */
  maxWaiting?: number;
  child: ChildProgram;
}

const mebibyte = 1024 * 1024;
const retryAfterSeconds = 10;
/** SIGABRT is missing, because Node also aborts when it runs out of memory. */
const crashSignals: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE']);

/**
 * Processes uploaded pictures one at a time, each in its own process, because image decoders are a common target of attacks. The child gets no
 * environment, hence no secrets. Its time, memory and pixels are limited.
 */
export class ImageProcessor {
  private readonly options: Required<ImageProcessorOptions>;
  private readonly children = new Set<ChildProcess>();
  private readonly queue: FairQueue;
  private isStopped = false;

  constructor(options: ImageProcessorOptions) {
    this.options = {
      maxMemoryBytes: 768 * mebibyte,
      deadlineMs: 60_000,
      maxWaiting: 8,
      ...options,
    };
    this.queue = new FairQueue({
      concurrency: 1,
      maxWaitingSize: this.options.maxWaiting,
      retryAfterSeconds,
    });
  }

  /** Throws INVALID_INPUT for an unusable picture, OVERLOADED when too many are waiting, UNAVAILABLE after `stop`. */
  process(upload: FileHandle): Promise<ProcessedImage> {
    // All pictures are in one group of the queue, so they keep their order of arrival.
    return this.queue.run('', () => this.runChild(upload));
  }

  stop(): void {
    this.isStopped = true;
    for (const child of this.children) child.kill('SIGKILL');
  }

  private async runChild(upload: FileHandle): Promise<ProcessedImage> {
    if (this.isStopped) throw stopping();
    const { limits, maxMemoryBytes, deadlineMs } = this.options;
    const { program, execArgv } = this.options.child;
    const child = fork(program, {
      execArgv: [...execArgv, '--max-old-space-size=128'],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', upload.fd],
    });
    this.children.add(child);
    return new Promise<ProcessedImage>((resolve, reject) => {
      const fail = (error: Error) => reject(this.isStopped ? stopping() : error);
      const failAsTooCostly = () =>
        fail(unusable('takes too much time or memory to process. Save it at a smaller size'));
      const timer = setTimeout(() => {
        failAsTooCostly();
        child.kill('SIGKILL');
      }, deadlineMs);
      child.once('message', (answer: ChildAnswer) => {
        if ('image' in answer) resolve(answer.image);
        else fail('unusable' in answer ? unusable(answer.unusable) : new Error(answer.fault));
      });
      // Not `once`: the child may emit several errors, and an error without a listener would crash this process.
      child.on('error', fail);
      child.once('exit', (_code, signal) => {
        clearTimeout(timer);
        this.children.delete(child);
        // After an answer, `fail` has no effect. Without an answer, the child crashed, exceeded its memory or was killed.
        if (signal && crashSignals.has(signal)) fail(unusable('cannot be read. It’s damaged or incomplete'));
        else failAsTooCostly();
      });
      child.send({ limits, maxMemoryBytes } satisfies ChildTask, (error) => error && fail(error));
    });
  }
}

const stopping = () => new DomainError('UNAVAILABLE', { retryAfterSeconds });

export function unusable(message: string): DomainError {
  return DomainError.invalid([{ field: 'image', message }]);
}
