import { type ChildProcess, fork } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The source file's descriptor in the child, whose IPC channel is 3. */
export const sourceFd = 4;

export interface PreviewRequest {
  type: string;
  maxPixels: number;
  maxMemoryBytes: number;
}
/** A WebP file; null if the source file is damaged, encrypted, too large, or not what it seems. */
export type PreviewAnswer = Uint8Array | null;

export interface PreviewOptions {
  /** The child's program. Default: the compiled one next to this file. */
  program?: string;
  execArgv?: string[];
  maxPixels?: number;
  maxMemoryBytes?: number;
  deadlineMs?: number;
}

export const PREVIEW_OPTIONS = Symbol('preview options');

/** The renderer was stopped. This says nothing about the file. */
export class RendererStopped extends Error {
  constructor() {
    super('The renderer of previews has stopped');
  }
}

const mebibyte = 1024 * 1024;
/** A preview has a few dozen kilobytes. */
const maxPreviewBytes = mebibyte;

/**
 * Makes each preview in a process of its own, because decoders of pictures and PDFs are a common target of attacks. The child gets the open file, but
 * no environment and so no secrets. Its time, memory and pixels are limited.
 */
export class PreviewRenderer {
  private readonly options: Required<PreviewOptions>;
  private readonly children = new Set<ChildProcess>();
  private isStopped = false;

  constructor(options: PreviewOptions = {}) {
    this.options = {
      program: fileURLToPath(new URL('./preview-child.js', import.meta.url)),
      execArgv: [],
      maxPixels: 50_000_000,
      maxMemoryBytes: 640 * mebibyte,
      deadlineMs: 20_000,
      ...options,
    };
  }

  /**
   * A WebP file; undefined if no preview can be made of this file. Rejects with `RendererStopped`, or with another error if
   * the child cannot be started or reached: then a later attempt may succeed.
   */
  async render(source: FileHandle, type: string): Promise<Buffer | undefined> {
    if (this.isStopped) throw new RendererStopped();
    const { program, execArgv, maxPixels, maxMemoryBytes, deadlineMs } = this.options;
    const child = fork(program, {
      execArgv: [...execArgv, '--max-old-space-size=128'],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', source.fd],
    });
    this.children.add(child);
    return new Promise<Buffer | undefined>((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      child.once('message', (answer: PreviewAnswer) => {
        resolve(answer && answer.length <= maxPreviewBytes ? Buffer.from(answer) : undefined);
      });
      const forget = () => {
        clearTimeout(timer);
        this.children.delete(child);
      };
      // A child can emit several errors, such as failures to send to it and to kill it. Without a listener, an error would crash this process.
      child.on('error', (error) => {
        reject(error);
        // A child that could not be started does not exit.
        if (child.pid === undefined) forget();
      });
      child.once('exit', () => {
        forget();
        // Has no effect if the child has answered.
        if (this.isStopped) reject(new RendererStopped());
        else resolve(undefined);
      });
      child.send(
        { type, maxPixels, maxMemoryBytes } satisfies PreviewRequest,
        (error) => error && reject(error),
      );
    });
  }

  stop(): void {
    this.isStopped = true;
    for (const child of this.children) child.kill('SIGKILL');
  }
}
