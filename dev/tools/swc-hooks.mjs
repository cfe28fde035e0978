// Module hooks that run TypeScript from its sources, for specs, and for tools that work before the build.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const root = new URL('../../', import.meta.url);
const isTypeScript = (url) =>
  url?.startsWith('file:') && /\.tsx?$/.test(url) && !url.includes('/node_modules/');

export async function resolve(specifier, context, next) {
  if (specifier.startsWith('#libs/'))
    return next(new URL(`libs/${specifier.slice(6)}/src/index.ts`, root).href, context);
  if (isTypeScript(context.parentURL) && /^\.{1,2}\/.*\.js$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    return next(existsSync(source) ? source.href : `${source.href}x`, context);
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return next(url, context);
  return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
}
