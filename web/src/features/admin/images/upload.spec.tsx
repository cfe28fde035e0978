/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { answerCalls } from '../../../workspace/open-screen.js';
import { type UploadState, useUpload } from './upload.js';

const realRequest = globalThis.XMLHttpRequest;
afterEach(() => {
  cleanup();
  globalThis.XMLHttpRequest = realRequest;
});

class PendingRequest extends EventTarget {
  upload = {};
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {}
}

test('a cancelled upload counts as failed, but one that another upload replaces does not', () => {
  globalThis.XMLHttpRequest = PendingRequest as unknown as typeof XMLHttpRequest;
  const onStateChange = jest.fn<(state: UploadState) => void>();
  const { result } = renderHook(() => useUpload(() => undefined, onStateChange));
  const start = (name: string) => act(() => result.current.startUpload(new File(['content'], name)));
  start('a.png');
  expect(onStateChange.mock.calls).toEqual([['sending']]);
  start('b.png');
  expect(result.current.upload?.file.name).toBe('b.png');
  expect(onStateChange.mock.calls).toEqual([['sending'], ['sending']]);
  act(() => result.current.cancelUpload());
  expect(result.current.upload).toBeUndefined();
  expect(onStateChange.mock.calls).toEqual([['sending'], ['sending'], ['failed']]);
});

test('an upload that is cancelled while the session is renewed is not sent again', async () => {
  const sent: RefusedRequest[] = [];
  class RefusedRequest extends PendingRequest {
    status = 401;
    response = {};
    onload?: () => void;
    override send(): void {
      sent.push(this);
      queueMicrotask(() => this.onload?.());
    }
  }
  globalThis.XMLHttpRequest = RefusedRequest as unknown as typeof XMLHttpRequest;
  let renew: ((response: Response) => void) | undefined;
  answerCalls(() => new Promise((resolve) => (renew = resolve)));
  const { result } = renderHook(() =>
    useUpload(
      () => undefined,
      () => undefined,
    ),
  );
  act(() => result.current.startUpload(new File(['content'], 'a.png')));
  await waitFor(() => expect(renew).toBeDefined());
  act(() => result.current.cancelUpload());
  await act(async () => renew!(Response.json({})));
  expect(sent).toHaveLength(1);
});
