import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isConnectionError } from '#libs/database';
import { ClamdStandIn, eicar } from '../../../dev/stand-ins/clamd/clamd.js';
import { VirusScanner } from './virus-scanner.js';

let clamd: ClamdStandIn;
beforeEach(async () => {
  clamd = await ClamdStandIn.start();
});
afterEach(() => clamd.stop());

async function* chunks(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}
const scan = (bytes: AsyncIterable<Buffer>, limits: { idleMs?: number; deadlineMs?: number } = {}) =>
  new VirusScanner({ url: clamd.url, ...limits }).scan(bytes);

test('a clean file that arrives in several parts, one of them empty, is reported as clean', async () => {
  expect(await scan(chunks('a', '', Buffer.alloc(3_000_000), 'b'))).toEqual({ infected: false });
  expect(clamd.scannedSizes).toEqual([3_000_002]);
});

test('a virus is found, also across parts', async () => {
  const found = { infected: true, virus: 'Eicar-Signature' };
  expect(await scan(chunks(eicar))).toEqual(found);
  expect(await scan(chunks('x', eicar.slice(0, 20), eicar.slice(20), 'y'))).toEqual(found);
});

test('the address of the scanner can be an IPv6 address', async () => {
  // The stand-in’s IPv4 address, written as an IPv6 address.
  const url = clamd.url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
  expect(await new VirusScanner({ url }).scan(chunks('a'))).toEqual({ infected: false });
});

describe('a file that was not scanned is never reported as clean:', () => {
  test.each([
    ['silent', /not answered in time/],
    ['closes', /closed|ECONNRESET|EPIPE/],
    ['garbage', /something other than an answer/],
    ['tooLarge', /size limit exceeded|ECONNRESET|EPIPE/],
    ['outOfMemory', /Cannot allocate memory|ECONNRESET|EPIPE/],
  ] as const)('a scanner with the simulated fault `%s`', async (fault, message) => {
    clamd.fault = fault;
    const limits = fault === 'silent' ? { idleMs: 300 } : {};
    await expect(scan(chunks(Buffer.alloc(500_000)), limits)).rejects.toThrow(message);
  });

  test('a scanner that is still taking bytes at the deadline', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield wait(20, Buffer.from('x'));
    }
    await expect(scan(endless(), { idleMs: 5_000, deadlineMs: 200 })).rejects.toThrow('clamd takes too long');
  });

  test('refused connection', async () => {
    const { url } = clamd;
    await clamd.stop();
    const refused: unknown = await new VirusScanner({ url })
      .scan(chunks('x'))
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
    // The file worker must log this error. It logs no connection errors, because it assumes that they come from Postgres.
    expect(isConnectionError(refused)).toBe(false);
    await clamd.resume();
  });

  test('a file that cannot be read to its end', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('x');
      throw new Error('The disk is gone');
    }
    await expect(scan(broken())).rejects.toThrow('The disk is gone');
    expect(clamd.scannedSizes).toEqual([]);
  });
});
