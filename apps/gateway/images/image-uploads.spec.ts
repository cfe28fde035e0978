import { mkdtemp, open, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { visitor } from '#libs/contracts';
import type { FileStorage } from '#libs/file-storage';
import type { GatewayConfig } from '../config.js';
import { ImageUploads } from './image-uploads.js';

let spoolFolder: string;
let server: Server;
let receive: (body: IncomingMessage) => void;
const logged = jest.fn();

beforeEach(async () => {
  logged.mockReset();
  spoolFolder = await mkdtemp(join(tmpdir(), 'image-uploads-'));
  server = createServer((body, response) => {
    receive(body);
    body.on('close', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  jest.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(spoolFolder, { recursive: true });
});

/** Resolves with the outcome of the upload that `send` begins. */
async function outcomeOf(send: (port: number) => unknown): Promise<unknown> {
  const uploads = new ImageUploads(
    { IMAGE_LIMIT_BYTES: 1_000 } as GatewayConfig,
    { spoolFolder } as FileStorage,
    { error: logged } as never,
    ...([{}, {}, {}] as [never, never, never]),
  );
  const outcome = new Promise<unknown>((resolve) => {
    receive = (body) => {
      uploads
        .upload({ body, announcedBytes: 100 }, { name: 'a.png' }, { actor: visitor })
        .then(resolve, resolve);
    };
  });
  send((server.address() as AddressInfo).port);
  return outcome;
}

test('a full disk is logged, even if the whole upload has arrived', async () => {
  const handle = await open(spoolFolder);
  jest
    .spyOn(Object.getPrototypeOf(handle) as { write(): Promise<never> }, 'write')
    .mockRejectedValue(new Error('ENOSPC'));
  await handle.close();
  const outcome = await outcomeOf((port) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x'.repeat(100) }),
  );
  expect(outcome).toMatchObject({ code: 'UNAVAILABLE' });
  expect(logged).toHaveBeenCalledTimes(1);
});

test('a client that disconnects is not logged', async () => {
  const outcome = await outcomeOf((port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nxxx');
    server.once('request', () => socket.destroy());
  });
  expect(outcome).toMatchObject({ code: 'UNAVAILABLE' });
  expect(logged).not.toHaveBeenCalled();
});
