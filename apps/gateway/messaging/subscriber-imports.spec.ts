import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { subscriberImportContract, system } from '#libs/contracts';
import { createLogger } from '#libs/platform';
import { eventually } from '#libs/testing';
import type { RpcClient } from '#libs/transport';
import { SubscriberImports } from './subscriber-imports.js';

const file = Buffer.from('ada@example.com');

function importStarter(call: (contract: unknown) => Promise<unknown>) {
  const imports = new SubscriberImports({ call } as unknown as RpcClient, createLogger('test', 'error'));
  return () => imports.start(file, { consent: 'On paper' }, { actor: system });
}

test('a fourth file is refused while three are being read', async () => {
  const start = importStarter(() => Promise.resolve({ _id: randomUUID(), state: 'finished' }));
  const beingRead = [start(), start(), start()];
  await expect(start()).rejects.toMatchObject({ code: 'OVERLOADED' });
  await Promise.all(beingRead);
  await expect(start()).resolves.toMatchObject({ state: 'finished' });
});

test('a fourth file is refused while the rows of three are being sent', async () => {
  let begun = 0;
  const finishSending: (() => void)[] = [];
  const start = importStarter((contract) => {
    if (contract !== subscriberImportContract.beginImport)
      return new Promise<void>((resolve) => finishSending.push(resolve));
    begun += 1;
    return Promise.resolve({ _id: randomUUID(), state: 'running' });
  });
  for (let n = 1; n <= 3; n += 1) await start();
  await expect(start()).rejects.toMatchObject({ code: 'OVERLOADED' });
  finishSending[0]!();
  await eventually(start);
  expect(begun).toBe(4);
  for (const finish of finishSending) finish();
});
