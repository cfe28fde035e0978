import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const skipped = new Set(['node_modules', 'dist', '.data', '.git', 'test-results', 'coverage']);

/** All files below these paths (files or folders; missing ones are ignored), sorted. Does not enter the folders in `skipped`. */
export function filesBelow(root, paths) {
  const files = [];
  const visit = (path) => {
    const entries = readdirSync(join(root, path), { withFileTypes: true });
    for (const entry of entries) {
      if (skipped.has(entry.name)) continue;
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inner);
      else if (entry.isFile()) files.push(inner);
    }
  };
  for (const path of paths) {
    if (!existsSync(join(root, path))) continue;
    if (statSync(join(root, path)).isDirectory()) visit(path);
    else files.push(path);
  }
  return files.sort();
}

/** Changes when a file is modified, added or removed (by size and modification time). */
export function fingerprint(root, files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Changes when the content of a file changes. */
export function contentFingerprint(root, files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Undefined if there is no such file. */
export function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}
