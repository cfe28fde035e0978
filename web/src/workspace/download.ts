import { useState } from 'react';
import {
  type OperationAddress,
  type Answer,
  answerFrom,
  callApi,
  callSignal,
  type PathParts,
  type Problem,
  type RequestOf,
  unreachable,
} from '../lib/api.js';
import { pathOf } from './path.js';

/** For addresses that answer with a file. `problem`: why the last download was not started. `findRefusal` is asked before each download. */
export function useDownload(findRefusal?: (href: string) => Promise<Problem | undefined>): {
  download(href: string): Promise<void>;
  problem: Problem | undefined;
} {
  const [problem, setProblem] = useState<Problem>();
  return {
    problem,
    /** A download cannot renew the session or ask the person to sign in. `callApi` can, so a call is made with it first. */
    async download(href) {
      const answer = await callApi('GET /auth/me');
      const found = answer.ok ? await findRefusal?.(href) : answer.problem;
      setProblem(found);
      if (!found) clickLink(href, '');
    },
  };
}

interface FileRequest extends PathParts {
  body?: object;
  signal?: AbortSignal;
}

/** Reads a file into memory, so that the screen can show a refusal. For large files, use `useDownload`. */
export function fetchFile<A extends OperationAddress>(
  at: A,
  request: RequestOf<A> & Pick<FileRequest, 'signal'>,
): Promise<Answer<Blob>>;
export async function fetchFile(at: OperationAddress, request: FileRequest): Promise<Answer<Blob>> {
  const answer = await fetchOnce(at, request);
  if (answer.ok || answer.problem.status !== 401) return answer;
  // Renews the session.
  const account = await callApi('GET /auth/me');
  return account.ok ? fetchOnce(at, request) : account;
}

async function fetchOnce(
  at: OperationAddress,
  { body, signal, ...parts }: FileRequest,
): Promise<Answer<Blob>> {
  try {
    const response = await fetch(pathOf(at, parts), {
      method: at.split(' ')[0],
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: callSignal(signal),
    });
    const { headers } = response;
    if (response.ok) return { ok: true, value: await response.blob(), headers };
    const answer = answerFrom(response.status, await response.json().catch(() => undefined), headers);
    // Never `ok` after a failure; the type does not say so.
    return answer.ok ? { ok: false, problem: unreachable } : answer;
  } catch {
    return { ok: false, problem: unreachable };
  }
}

export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  clickLink(url, name);
  URL.revokeObjectURL(url);
}

/** Unlike `location.assign`, does not make the browser ask about unsaved changes. If `name` is empty, the server names the file. */
function clickLink(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}
