// Module hooks that run the project's TypeScript from its sources, for tools that work before the build.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { swcOptions } from './swc-options.mjs';

const root = new URL('../../', import.meta.url);

export async function resolve(specifier, context, next) {
  if (specifier.startsWith('#libs/'))
    return next(new URL(`libs/${specifier.slice(6)}/src/index.ts`, root).href, context);
  const fromSource = context.parentURL?.endsWith('.ts') && /^\.{1,2}\//.test(specifier);
  return next(fromSource ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...swcOptions, filename, swcrc: false });
  return { format: 'module', source: code, shortCircuit: true };
}
