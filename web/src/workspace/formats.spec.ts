import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test.each(['Pacific/Honolulu', 'Pacific/Auckland'])(
  'days and months do not depend on the reader’s time zone, such as %s',
  async (zone) => {
    // A formatter keeps the time zone in which it was created, so this runs in a process of its own.
    const script = `const { formatDay, formatMonth } = await import('./web/src/workspace/formats.ts');
      console.log(JSON.stringify([formatDay('2026-11-01'), formatMonth('2026-11')]));`;
    const args = ['--import', './dev/tools/register-swc.mjs', '--input-type=module', '--eval', script];
    const env = { ...process.env, TZ: zone };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(JSON.parse(stdout)).toEqual(['Nov 1, 2026', 'November 2026']);
  },
);
