import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { anchorsOf, linksOf } from './markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const skipped = ['node_modules', 'dist', 'coverage', 'release', 'test-results', '.git', '.data', 'secrets'];
const isText = /\.(md|tsx?|mjs|json|ya?ml|sh|css)$|^(Dockerfile|\.env\.example)$/;

function textFilesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : textFilesIn(path);
    return isText.test(entry.name) ? [path] : [];
  });
}
const files = textFilesIn('');
const documents = files.filter((path) => path.endsWith('.md'));

function leadsSomewhere(target: string, from: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? from : relative(root, join(root, dirname(from), path));
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || (documents.includes(file) && anchorsOf(read(file)).includes(anchor));
}

describe('links between documents', () => {
  test.each(documents)('every link of %s leads to a file and a heading that exist', (path) => {
    const targets = linksOf(read(path)).filter((target) => !/^[a-z]+:/.test(target));
    expect(targets.filter((target) => !leadsSomewhere(target, path))).toEqual([]);
  });

  test('every mention of a Markdown file below docs/ names a file and a heading that exist', () => {
    const mentions = files.flatMap((path) =>
      [...read(path).matchAll(/(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([mention]) => ({
        path,
        mention,
      })),
    );
    expect(mentions.length).toBeGreaterThan(20);
    expect(mentions.filter(({ mention }) => !leadsSomewhere(mention, 'README.md'))).toEqual([]);
  });

  test('docs/operations/README.md lists every file of its folder', () => {
    const listed = linksOf(read('docs/operations/README.md')).map((target) => target.split('#')[0]!);
    const names = readdirSync(join(root, 'docs/operations')).filter((name) => name !== 'README.md');
    expect(names.filter((name) => !listed.includes(name))).toEqual([]);
  });
});
