import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'bench');

// Benchmarks load `libs/testing` outside jest, where an import of `@jest/globals` throws.
test('every benchmark can be loaded', async () => {
  const benchmarks = readdirSync(folder).filter((file) =>
    readFileSync(join(folder, file), 'utf8').includes('export async function run('),
  );
  expect(benchmarks).toContain('http.ts');
  const imports = benchmarks.map((file) => `import './bench/${file}';`).join('\n');
  const options = ['--import', './dev/tools/register-swc.mjs', '--input-type=module', '--eval', imports];
  await promisify(execFile)(process.execPath, options, { cwd: root });
});
