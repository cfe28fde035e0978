import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { broadcasts } from '#libs/contracts';
import type { FileStorage } from '#libs/file-storage';
import type { Broadcaster, BroadcastListener } from '#libs/transport';
import type { SecurityHeaders } from '../answers/security-headers.js';
import { ImageFiles } from './image-files.js';

const id = '019a0000-0000-7000-8000-000000000001';
const path = `/images/${id}/40.webp`;

/** The tests call these to simulate that the subscription becomes active, that a picture is removed, or that the connection is back. */
let subscribed: () => void;
let removed: BroadcastListener;
let reconnected: () => void;
/** Each finishes one read from storage. */
let finishReading: ((body: Buffer | undefined) => void)[];
let files: ImageFiles;
beforeEach(() => {
  finishReading = [];
  const storage = {
    findBytes: () => new Promise<Buffer | undefined>((resolve) => finishReading.push(resolve)),
  };
  const broadcaster = {
    subscribe: (channel: string, listener: BroadcastListener) => {
      expect(channel).toBe(broadcasts.imageRemoved);
      removed = listener;
      return new Promise<void>((resolve) => (subscribed = resolve));
    },
    onReconnect: (listener: () => void) => (reconnected = listener),
  };
  const headers = { asset: {} } as SecurityHeaders;
  files = new ImageFiles(storage as unknown as FileStorage, headers, broadcaster as unknown as Broadcaster);
});

async function read(address = path): Promise<void> {
  const reading = files.at(address);
  finishReading.at(-1)!(Buffer.from('a picture'));
  expect(await reading).toBeDefined();
}

test('a picture stays in memory until it is removed, and its removal does not affect others', async () => {
  const other = path.replace(id, '019a0000-0000-7000-8000-000000000002');
  await read();
  await read(other);
  expect(files.findInMemory(path)).toBeDefined();
  removed({ id });
  expect([files.findInMemory(path), files.findInMemory(other)]).toEqual([undefined, expect.anything()]);
});

test('a picture that is removed while it is being read does not stay in memory', async () => {
  const reading = files.at(path);
  removed({ id });
  finishReading[0]!(Buffer.from('a picture'));
  await reading;
  expect(files.findInMemory(path)).toBeUndefined();
});

test('a picture that was read before the subscription to removals was active is forgotten once it is active', async () => {
  await read();
  subscribed();
  await setImmediate();
  expect(files.findInMemory(path)).toBeUndefined();
  await read();
  expect(files.findInMemory(path)).toBeDefined();
});

test('a picture whose read began before a reconnect does not stay in memory, because its removal may have been missed', async () => {
  await read();
  const reading = files.at(path.replace('40', '80'));
  const unfinishedReading = files.at(path.replace('40', '160'));
  finishReading[1]!(Buffer.from('a picture'));
  await reading;
  reconnected();
  finishReading[2]!(Buffer.from('a picture'));
  await unfinishedReading;
  expect(['40', '80', '160'].map((width) => files.findInMemory(path.replace('40', width)))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  await read();
  expect(files.findInMemory(path)).toBeDefined();
});

test('a 65th concurrent read is refused as an overload, unless it is of a file that is already being read', async () => {
  const first = Array.from({ length: 64 }, (_, n) => files.at(path.replace('40', String(n + 1)))!);
  await expect(files.at(path.replace('40', '99'))).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(files.at(path.replace('40', '1'))).toBe(first[0]);
  for (const resolve of finishReading) resolve(undefined);
  expect(await Promise.all(first)).toEqual(Array.from({ length: 64 }, () => undefined));
  await read(path.replace('40', '99'));
});
