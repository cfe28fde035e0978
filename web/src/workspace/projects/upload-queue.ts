import { fileLimits, type ProjectFile } from '#libs/contracts';
import { type Answer, callApi, type Problem } from '../../lib/api.js';
import type { UploadOptions } from './upload.js';

/** Never rejects; the promise of a cancelled upload may stay pending. */
export type SendFile = (file: File, options: UploadOptions) => Promise<Answer<ProjectFile>>;

export interface Upload {
  key: string;
  name: string;
  bytes: number;
  /** `paused`: waits for a connection. `refused`: the file is empty or too large, so it would not help to try again. */
  state: 'waiting' | 'sending' | 'paused' | 'done' | 'failed' | 'refused';
  /** Share of the bytes, from 0 to 1. */
  sent: number;
  fault?: string;
  file?: ProjectFile;
}

const concurrency = 2;
let nextKey = 1;

/** Uploads files without waiting for the form to be sent, at most `concurrency` at a time. `show` gets all items after each change. */
export class UploadQueue {
  private readonly sources = new Map<string, { file: File; controller: AbortController }>();

  constructor(
    public items: readonly Upload[],
    private readonly send: SendFile,
    private readonly show: (items: readonly Upload[]) => void,
  ) {}

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => {
      const key = `upload-${nextKey++}`;
      const fault = refusalOf(file);
      if (!fault) this.sources.set(key, { file, controller: new AbortController() });
      const common = { key, name: file.name, bytes: file.size, sent: 0 };
      return fault ? { ...common, state: 'refused', fault } : { ...common, state: 'waiting' };
    });
    this.set([...this.items, ...added]);
    this.startNext();
  }

  /** Cancels an upload, or deletes an uploaded file. */
  remove(key: string): void {
    const item = this.items.find((one) => one.key === key);
    this.sources.get(key)?.controller.abort();
    this.sources.delete(key);
    this.set(this.items.filter((one) => one.key !== key));
    // If this call fails, the file is deleted when it expires.
    if (item?.file) void callApi('DELETE /project-file/:id', { params: { id: item.file._id } });
    this.startNext();
  }

  retry(key: string): void {
    const source = this.sources.get(key);
    if (!source) return;
    source.controller = new AbortController();
    this.change(key, { state: 'waiting', fault: undefined });
    this.startNext();
  }

  /** Call it when the message or deliverable with these files was sent. Uploads that were added meanwhile stay. */
  clear(uploads: readonly Upload[]): void {
    const keys = new Set(uploads.map(({ key }) => key));
    keys.forEach((key) => this.sources.delete(key));
    this.set(this.items.filter(({ key }) => !keys.has(key)));
  }

  /** Shows the files `after` instead of the files `before`. All other files and uploads stay. */
  replace(before: readonly ProjectFile[], after: readonly ProjectFile[]): void {
    const replaced = new Set([...before, ...after].map(({ _id }) => _id));
    const shown = new Map(this.items.map((item) => [item.file?._id, item]));
    this.set([
      ...after.map((file) => shown.get(file._id) ?? uploadOf(file)),
      ...this.items.filter(({ file }) => !file || !replaced.has(file._id)),
    ]);
  }

  /** Aborts all uploads. With the reason `keepSentBytes` of `upload.ts`, an upload continues when the same file is chosen again. */
  abortAll(reason: unknown): void {
    this.sources.forEach(({ controller }) => controller.abort(reason));
  }

  private startNext(): void {
    const sending = this.items.filter(({ state }) => state === 'sending' || state === 'paused').length;
    const waiting = this.items.filter(({ state }) => state === 'waiting');
    for (const { key } of waiting.slice(0, Math.max(0, concurrency - sending))) void this.start(key);
  }

  private async start(key: string): Promise<void> {
    const source = this.sources.get(key);
    if (!source) return;
    const { signal } = source.controller;
    this.change(key, { state: 'sending', sent: 0 });
    const answer = await this.send(source.file, {
      onProgress: (sent) => signal.aborted || this.change(key, { sent }),
      onPauseChange: (isPaused) =>
        signal.aborted || this.change(key, { state: isPaused ? 'paused' : 'sending' }),
      signal,
    });
    if (signal.aborted) return;
    if (answer.ok) this.change(key, { state: 'done', sent: 1, file: answer.value });
    else this.change(key, { state: 'failed', fault: sentenceOf(answer.problem) });
    this.startNext();
  }

  private change(key: string, values: Partial<Upload>): void {
    this.set(this.items.map((item) => (item.key === key ? { ...item, ...values } : item)));
  }

  private set(items: readonly Upload[]): void {
    this.items = items;
    this.show(items);
  }
}

export const isUnderWay = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'paused';

export function filesOf(items: readonly Upload[]): ProjectFile[] {
  return items.flatMap(({ file }) => file ?? []);
}

export function uploadOf(file: ProjectFile): Upload {
  const { _id: key, name, bytes } = file;
  return { key, name, bytes, state: 'done', sent: 1, file };
}

function refusalOf({ size }: File): string | undefined {
  if (size === 0) return 'This file is empty.';
  if (size > fileLimits.bytes) return 'This file is larger than 200 MB.';
  return undefined;
}

function sentenceOf({ fields, sentence, code }: Problem): string {
  if (code === 'COLLECTION_FULL') return 'This file would exceed the project’s storage limit.';
  const [field] = fields;
  return field ? `This file ${field.message}.` : sentence;
}
