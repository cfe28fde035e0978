import { useEffect, useRef, useState } from 'react';
import type { Image } from '#libs/contracts';
import { type Answer, type AnswerOf, answerFrom, callApi, unreachable } from '../../../lib/api.js';
import { pathOf } from '../../../workspace/path.js';

const uploadTimeoutMs = 300_000;

export interface Upload {
  file: File;
  /** Share of the bytes, from 0 to 1; at 1 the server processes the image. */
  sent: number;
}

const uploadOperation = 'POST /images';
type UploadedImage = AnswerOf<typeof uploadOperation>;

interface SendOptions {
  onProgress(sent: number): void;
  signal: AbortSignal;
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. Never rejects; an aborted upload stays pending. */
function send(file: File, { onProgress, signal }: SendOptions): Promise<Answer<UploadedImage>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const failed = () => resolve({ ok: false, problem: unreachable });
    request.open('POST', pathOf(uploadOperation, { query: { name: file.name } }));
    request.setRequestHeader('accept', 'application/json');
    request.timeout = uploadTimeoutMs;
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () => {
      // Null if the response is not JSON.
      const content: unknown = request.response ?? undefined;
      resolve(answerFrom<typeof uploadOperation>(request.status, content));
    };
    request.onerror = failed;
    request.ontimeout = failed;
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** If the access token has expired, another API call renews it, and the file is sent once more. */
async function sendWithRetry(file: File, options: SendOptions): Promise<Answer<UploadedImage>> {
  const answer = await send(file, options);
  if (answer.ok || answer.problem.status !== 401 || !(await callApi('GET /auth/me')).ok) return answer;
  // The upload may have been cancelled or replaced meanwhile.
  return options.signal.aborted ? answer : send(file, options);
}

/** `failed` includes cancelled uploads. */
export type UploadState = 'sending' | 'done' | 'failed';

/** One upload at a time: a new one replaces the previous one, which does not count as failed. */
export function useUpload(onUploaded: (image: Image) => void, onStateChange: (state: UploadState) => void) {
  const [upload, setUpload] = useState<Upload>();
  const [fault, setFault] = useState<string>();
  const latest = useRef<AbortController>(undefined);
  useEffect(() => () => latest.current?.abort(), []);

  async function start(file: File): Promise<void> {
    // The replaced upload is not reported as failed: a form that waits for it then waits for the new one.
    latest.current?.abort();
    setFault(undefined);
    const controller = new AbortController();
    latest.current = controller;
    setUpload({ file, sent: 0 });
    onStateChange('sending');
    const onProgress = (sent: number) => !controller.signal.aborted && setUpload({ file, sent });
    const answer = await sendWithRetry(file, { onProgress, signal: controller.signal });
    if (controller.signal.aborted) return;
    setUpload(undefined);
    if (answer.ok) onUploaded(answer.value);
    else setFault(errorText(file, answer));
    onStateChange(answer.ok ? 'done' : 'failed');
  }

  function cancel(): void {
    latest.current?.abort();
    setUpload(undefined);
    setFault(undefined);
    onStateChange('failed');
  }

  return { upload, fault, startUpload: (file: File) => void start(file), cancelUpload: cancel };
}

function errorText({ name, size }: File, { problem }: Answer<UploadedImage> & { ok: false }): string {
  const [field] = problem.fields.filter((one) => one.field === 'image');
  if (field) return `${name} ${field.message}.`;
  if (problem.status === 413)
    return `${name} is ${(size / 1e6).toFixed(1)} MB, which is too large. Save it at a smaller size.`;
  return problem.sentence;
}
