import type { DetailedError, PreviousUpload, Upload } from 'tus-js-client';
import type { ProjectFile } from '#libs/contracts';
import { type Answer, answerFrom, callApi, type Problem, unreachable } from '../../lib/api.js';

export interface UploadTarget {
  projectId: string;
  side: 'customer' | 'staff';
  /** For staff: the file belongs to a note, so the customer never sees it. */
  hidden?: boolean;
}

export interface UploadOptions {
  /** `share`: from 0 to 1. */
  onProgress(share: number): void;
  /** True when the connection is lost: the upload waits for it and continues automatically. */
  onPauseChange?(isPaused: boolean): void;
  /**
   * Cancels the upload and deletes what was sent, unless another tab continues the upload. With the reason `keepSentBytes`, it stops, and continues
   * when the same file is chosen again.
   */
  signal: AbortSignal;
}

export const keepSentBytes = 'keepSentBytes';

/** Bytes per request. Small enough to arrive before proxies give up, on a slow connection too. */
const chunkSize = 8 * 1024 * 1024;
/** In ms. They start again from the first one each time bytes have arrived. */
const retryDelays = [0, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000];

/**
 * Uploads are resumable (tus): they continue after a lost connection, and after a reload when the same file is chosen again. The returned function
 * never rejects; its promise may stay pending if the upload is cancelled.
 */
export function sendFileTo(target: UploadTarget) {
  return async (file: File, options: UploadOptions): Promise<Answer<ProjectFile>> => {
    const tus = await import('tus-js-client').catch(() => undefined);
    if (!tus) return { ok: false, problem: unreachable };
    const urlOrProblem = await send(tus, file, target, options);
    if (typeof urlOrProblem !== 'string') return { ok: false, problem: urlOrProblem };
    const id = urlOrProblem.slice(urlOrProblem.lastIndexOf('/') + 1);
    const answer = await callApi('GET /project-uploads/:id', { params: { id } });
    if (!answer.ok) return answer;
    const { value, headers } = answer;
    return value.file ? { ok: true, value: value.file, headers } : { ok: false, problem: unreachable };
  };
}

/** Resolves with the address of the complete upload. */
function send(
  tus: typeof import('tus-js-client'),
  file: File,
  { projectId, side, hidden = false }: UploadTarget,
  { onProgress, onPauseChange, signal }: UploadOptions,
): Promise<string | Problem> {
  return new Promise((resolve) => {
    let hasRenewed = false;
    let isContinuedElsewhere = false;
    let stopWaiting = () => {};
    const upload: Upload = new tus.Upload(file, {
      endpoint: '/project-uploads',
      chunkSize,
      retryDelays,
      metadata: { project: projectId, name: file.name, side, hidden: String(hidden) },
      fingerprint: async () =>
        ['upload', projectId, side, hidden, file.name, file.size, file.lastModified].join(':'),
      removeFingerprintOnSuccess: true,
      // A long upload may outlive several access tokens.
      onChunkComplete: () => (hasRenewed = false),
      onProgress: (sent, total) => onProgress(total > 0 ? sent / total : 1),
      onSuccess: () => resolve(upload.url!),
      onShouldRetry: (error) => navigator.onLine && isTemporary(error.originalResponse?.getStatus()),
      onError: (error) => void handleError(error as DetailedError),
    });
    signal.addEventListener('abort', () => {
      stopWaiting();
      void upload.abort(signal.reason !== keepSentBytes && !isContinuedElsewhere).catch(() => undefined);
    });

    async function handleError(error: DetailedError): Promise<void> {
      const problem = problemOf(error);
      // Another upload of this file is under way, for example in another tab. Cancelling this one must not delete what the other has sent.
      if (problem.status === 423) isContinuedElsewhere = true;
      if (signal.aborted) return;
      if (problem.status === 0 && !navigator.onLine) return resumeWhenOnline();
      if (problem.status === 401 && !hasRenewed) {
        hasRenewed = true;
        // Renews the session.
        if ((await callApi('GET /auth/me')).ok && !signal.aborted) return upload.start();
      }
      resolve(problem);
    }

    function resumeWhenOnline(): void {
      onPauseChange?.(true);
      const resume = () => {
        stopWaiting();
        onPauseChange?.(false);
        upload.start();
      };
      addEventListener('online', resume);
      stopWaiting = () => removeEventListener('online', resume);
    }

    async function start(): Promise<void> {
      const previous = await previousOf(upload);
      if (signal.aborted) return;
      if (previous) upload.resumeFromPreviousUpload(previous);
      upload.start();
    }
    void start();
  });
}

async function previousOf(upload: Upload): Promise<PreviousUpload | undefined> {
  try {
    return (await upload.findPreviousUploads())[0];
  } catch {
    // The browser refuses access to its storage. Trying to remember the new upload there would end the upload.
    upload.options.storeFingerprintForResuming = false;
    return undefined;
  }
}

/** `status`: undefined if no answer came. */
function isTemporary(status: number | undefined): boolean {
  // 409: another request has sent bytes in the meantime. Not 423: two uploads of the same file would keep interrupting each other.
  return status === undefined || status === 409 || status === 429 || status >= 500;
}

function problemOf({ originalResponse }: DetailedError): Problem {
  // 0 if no answer came.
  const status = originalResponse?.getStatus() ?? 0;
  if (status === 0) return unreachable;
  const answer = answerFrom(status, contentOf(originalResponse!.getBody()));
  return answer.ok ? unreachable : answer.problem;
}

function contentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
