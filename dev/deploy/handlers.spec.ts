import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import * as contracts from '#libs/contracts';

const apps = fileURLToPath(new URL('../../apps/', import.meta.url));

/** Excludes the code of tests, whose handlers stand in for other services. */
const sources = readdirSync(apps, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /^\w+\/.*\.ts$/.test(path) && !/\/test\/|\.spec\.ts$/.test(path),
);

const isContract = (value: unknown): value is contracts.Contract =>
  typeof value === 'object' && value !== null && 'pattern' in value;

test('every contract, except those in auditContracts, has one handler, in the service that its pattern names', () => {
  // `auditController` in libs/database declares the handlers of `auditContracts`, for every service.
  const calls = Object.entries(contracts)
    .filter(([name]) => name.endsWith('Contract'))
    .flatMap(([name, group]) =>
      Object.entries(group).flatMap(([call, contract]) =>
        isContract(contract) ? [`${contracts.serviceOf(contract)} ${name}.${call}`] : [],
      ),
    );
  const handlers = sources.flatMap((path) =>
    [...readFileSync(join(apps, path), 'utf8').matchAll(/@Handles\((\w+\.\w+)\)/g)].map(
      ([, call]) => `${path.split('/')[0]} ${call}`,
    ),
  );
  expect(handlers.toSorted()).toEqual(calls.toSorted());
});
