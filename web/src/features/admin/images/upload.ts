import { useEffect, useRef, useState } from 'react';
import type { Image } from '#libs/contracts';
import { type Answer, type AnswerOf, answerFrom, callApi, unreachable } from '../../../lib/api.js';
import { pathOf } from '../../../workspace/path.js';

/** What is sent takes as long as it takes; a connection on which nothing moves does not. In milliseconds. */
const uploadTimeoutMs = 300_000;

export interface Upload {
  file: File;
  /** Of its bytes, from 0 to 1; then it is processed. */
  sent: number;
}

type Uploaded = AnswerOf<'POST /images'>;

interface SendOptions {
  progress(sent: number): void;
  signal: AbortSignal;
}

/** By the one way of sending that tells how far it is. Rejects never; when it was given up nobody looks at the answer any more. */
function send(file: File, { progress, signal }: SendOptions): Promise<Answer<Uploaded>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const failed = () => resolve({ ok: false, problem: unreachable });
    request.open('POST', pathOf('POST /images', { query: { name: file.name } }));
    request.setRequestHeader('accept', 'application/json');
    request.timeout = uploadTimeoutMs;
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 1);
    request.onload = () => {
      // Null where it is no JSON.
      const content: unknown = request.response ?? undefined;
      resolve(answerFrom(request.status, content));
    };
    request.onerror = failed;
    request.ontimeout = failed;
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

/** An access token that ran out meanwhile is renewed by whatever is called next; then the upload is worth another try. */
async function sendAgain(file: File, options: SendOptions): Promise<Answer<Uploaded>> {
  const answer = await send(file, options);
  if (answer.ok || answer.problem.status !== 401 || !(await callApi('GET /auth/me')).ok) return answer;
  return send(file, options);
}

/** What becomes of an upload: `failed` also when it was given up. */
export type UploadState = 'sending' | 'done' | 'failed';

/** One upload at a time; another one takes the place of that under way. `tell` hears of each step. */
export function useUpload(uploaded: (image: Image) => void, tell: (state: UploadState) => void) {
  const [upload, setUpload] = useState<Upload>();
  const [fault, setFault] = useState<string>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  async function start(file: File): Promise<void> {
    cancel();
    const own = new AbortController();
    current.current = own;
    setUpload({ file, sent: 0 });
    tell('sending');
    const progress = (sent: number) => !own.signal.aborted && setUpload({ file, sent });
    const answer = await sendAgain(file, { progress, signal: own.signal });
    if (own.signal.aborted) return;
    setUpload(undefined);
    if (answer.ok) uploaded(answer.value);
    else setFault(faultOf(file, answer));
    tell(answer.ok ? 'done' : 'failed');
  }

  function cancel(): void {
    current.current?.abort();
    setUpload(undefined);
    setFault(undefined);
    tell('failed');
  }

  return { upload, fault, start: (file: File) => void start(file), cancel };
}

function faultOf({ name, size }: File, { problem }: Answer<Uploaded> & { ok: false }): string {
  const [field] = problem.fields.filter((one) => one.field === 'image');
  if (field) return `${name} ${field.message}.`;
  if (problem.status === 413)
    return `${name} is ${(size / 1e6).toFixed(1)} MB, which is too large. Save it at a smaller size.`;
  return problem.sentence;
}
