import { expect, test } from '@jest/globals';
import { fileLimits, type ProjectFile } from '#libs/contracts';
import type { Answer } from '../../lib/api.js';
import { filesOf, type SendFile, type Upload, UploadQueue } from './upload-queue.js';

function controlledQueue() {
  const started: { name: string; signal: AbortSignal; end(answer: Answer<ProjectFile>): void }[] = [];
  const send: SendFile = ({ name }, { signal }) =>
    new Promise((resolve) => {
      started.push({ name, signal, end: resolve });
    });
  let items: readonly Upload[] = [];
  const queue = new UploadQueue([], send, (shown) => (items = shown));
  return {
    queue,
    started,
    states: () => items.map(({ name, state }) => `${name} ${state}`),
    files: () => filesOf(items),
  };
}

const fileOf = (name: string, text = 'content') => new File([text], name);
const done = (name: string) =>
  ({ ok: true, value: { _id: name, name, bytes: 7 } as ProjectFile, headers: new Headers() }) as const;
const failed: Answer<ProjectFile> = {
  ok: false,
  problem: { status: 503, sentence: 'Not now.', fields: [] },
};

test('two files are sent at a time, and the others wait', async () => {
  const { queue, started, states, files } = controlledQueue();
  queue.add(['a', 'b', 'c'].map((name) => fileOf(name)));
  expect(states()).toEqual(['a sending', 'b sending', 'c waiting']);
  started[0]!.end(done('a'));
  await Promise.resolve();
  expect(states()).toEqual(['a done', 'b sending', 'c sending']);
  expect(files()).toHaveLength(1);
});

test('a cancelled upload is aborted, and makes room for the next', () => {
  const { queue, started, states } = controlledQueue();
  queue.add(['a', 'b', 'c'].map((name) => fileOf(name)));
  queue.remove(queue.items[0]!.key);
  expect(started[0]!.signal.aborted).toBe(true);
  expect(states()).toEqual(['b sending', 'c sending']);
});

test('a failed upload says why, and can be tried again', async () => {
  const { queue, started, states } = controlledQueue();
  queue.add([fileOf('a')]);
  started[0]!.end(failed);
  await Promise.resolve();
  expect(queue.items[0]).toMatchObject({ state: 'failed', fault: 'Not now.' });
  queue.retry(queue.items[0]!.key);
  expect(states()).toEqual(['a sending']);
  expect(started).toHaveLength(2);
});

test('an empty file and one that is too large are refused with the reason, without being sent', () => {
  const { queue, started } = controlledQueue();
  const large = Object.defineProperty(fileOf('large'), 'size', { value: fileLimits.bytes + 1 });
  queue.add([fileOf('empty', ''), large]);
  expect(queue.items.map(({ state, fault }) => `${state}: ${fault}`)).toEqual([
    'refused: This file is empty.',
    'refused: This file is larger than 200 MB.',
  ]);
  expect(started).toEqual([]);
});
