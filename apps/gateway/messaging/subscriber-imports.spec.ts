import { expect, test } from '@jest/globals';
import { system } from '#libs/contracts';
import { createLogger } from '#libs/platform';
import type { RpcClient } from '#libs/transport';
import { SubscriberImports } from './subscriber-imports.js';

test('a fourth file is refused while three are being read', async () => {
  const rpc = { call: () => Promise.resolve({ _id: '1', state: 'finished' }) } as unknown as RpcClient;
  const imports = new SubscriberImports(rpc, createLogger('test', 'error'));
  const start = () =>
    imports.start(Buffer.from('ada@example.com'), { consent: 'On paper' }, { actor: system });
  const first = [start(), start(), start()];
  await expect(start()).rejects.toMatchObject({ code: 'OVERLOADED' });
  await Promise.all(first);
  await expect(start()).resolves.toMatchObject({ state: 'finished' });
});
