// Compiles TypeScript with SWC, and keeps the results in dist/compiled/, so that test processes and tools need not compile the same files again.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync, version } from '@swc/core';
import { root } from './root.mjs';
import { swcOptions } from './swc-options.mjs';

const outputPath = (file) => join(root, 'dist', 'compiled', `${relative(root, file)}.js`);

export const sourceMapPath = (file) => `${outputPath(file)}.map`;

/** Returns the JavaScript. Compiles only if the file, the compiler or its options have changed. */
export function compile(file) {
  const source = readFileSync(file, 'utf8');
  const hash = createHash('sha1')
    .update(JSON.stringify([version, swcOptions, source]))
    .digest('hex');
  // It is the last line of the output, so that the line numbers of the source map stay right.
  const signature = `// ${hash}\n`;
  const output = outputPath(file);
  const kept = existsSync(output) ? readFileSync(output, 'utf8') : '';
  if (kept.endsWith(signature)) return kept;
  const result = transformSync(source, { ...swcOptions, filename: file, swcrc: false, sourceMaps: true });
  const code = `${result.code}\n//# sourceMappingURL=${pathToFileURL(sourceMapPath(file)).href}\n${signature}`;
  mkdirSync(dirname(output), { recursive: true });
  replaceFile(sourceMapPath(file), result.map);
  replaceFile(output, code);
  return code;
}

/** Other processes read the old file or the new one, never a part. */
function replaceFile(file, text) {
  const temporary = `${file}.${randomUUID()}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
