/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import type { UploadOptions } from 'tus-js-client';

const uploads: FakeUpload[] = [];
const findPrevious = jest.fn(async () => []);
afterEach(() => void uploads.splice(0));

class FakeUpload {
  url = '/project-uploads/1';
  readonly abort = jest.fn(async (_shouldDelete: boolean) => undefined);

  constructor(
    _file: File,
    readonly options: UploadOptions,
  ) {
    uploads.push(this);
  }

  findPreviousUploads = findPrevious;
  start = jest.fn();
}
jest.unstable_mockModule('tus-js-client', () => ({ Upload: FakeUpload }));
const { sendFileTo } = await import('./upload.js');

async function sendRefused(problem: { status: number; code: string; detail: string }) {
  const controller = new AbortController();
  const sendFile = sendFileTo({ projectId: '1', side: 'customer' });
  const answer = sendFile(new File(['content'], 'a.pdf'), {
    onProgress: () => undefined,
    signal: controller.signal,
  });
  await waitFor(() => expect(uploads).toHaveLength(1));
  const [{ options, abort }] = uploads as [FakeUpload];
  const originalResponse = { getStatus: () => problem.status, getBody: () => JSON.stringify(problem) };
  const error = Object.assign(new Error(), { originalResponse }) as never;
  const isTriedAgain = options.onShouldRetry!(error, 0, options);
  if (!isTriedAgain) options.onError!(error);
  return { answer, isTriedAgain, controller, abort };
}

test('an upload that another tab continues says so, is not tried again, and is not deleted when its row is removed', async () => {
  const detail = 'This file is being uploaded elsewhere, for example in another tab.';
  const problem = { status: 423, code: 'UPLOAD_CONTINUED_ELSEWHERE', detail };
  const { answer, isTriedAgain, controller, abort } = await sendRefused(problem);
  expect(isTriedAgain).toBe(false);
  expect(await answer).toMatchObject({ ok: false, problem: { status: 423, sentence: detail } });
  controller.abort();
  expect(abort.mock.calls).toEqual([[false]]);
});

test('an upload whose bytes do not continue what has arrived is tried again, and is deleted when its row is removed', async () => {
  const problem = {
    status: 409,
    code: 'INVALID_TRANSITION',
    detail: 'These bytes don’t continue the upload.',
  };
  const { isTriedAgain, controller, abort } = await sendRefused(problem);
  expect(isTriedAgain).toBe(true);
  controller.abort();
  expect(abort.mock.calls).toEqual([[true]]);
});

test('an upload starts from its beginning, and cannot be resumed later, if the browser refuses access to its storage', async () => {
  findPrevious.mockRejectedValueOnce(new DOMException('The operation is insecure.', 'SecurityError'));
  const { signal } = new AbortController();
  const sendFile = sendFileTo({ projectId: '1', side: 'customer' });
  void sendFile(new File(['content'], 'a.pdf'), { onProgress: () => undefined, signal });
  await waitFor(() => expect(uploads[0]?.start).toHaveBeenCalledTimes(1));
  expect(uploads[0]!.options.storeFingerprintForResuming).toBe(false);
});
