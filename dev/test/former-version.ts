import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve('.');
const migrations = ['apps/*/migrations/*', 'libs/database/src/*.migration.ts'];

/** A built checkout of the project before its newest migration: the version that may still run when the next one has migrated the databases. */
export interface FormerVersion {
  readonly path: string;
  readonly commit: string;
  remove(): void;
}

/** Checks the former version out of git's history and builds it. Rejects if the history does not reach back that far. */
export async function formerVersion(): Promise<FormerVersion> {
  const commit = await formerCommit();
  const path = mkdtempSync(join(tmpdir(), 'seo-services-former-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    const env = { ...process.env, GIT_INDEX_FILE: join(path, '.index') };
    await git(['read-tree', commit], env);
    await git(['checkout-index', '--all', `--prefix=${path}/`], env);
    // Uses the packages of this version, because installing others would take longer than everything else.
    symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
    await buildServices(path);
    return { path, commit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function formerCommit(): Promise<string> {
  await git(['rev-parse', '--git-dir']).catch((error: Error) => {
    throw new Error(
      `The former version is taken from git's history, and this is not a clone: ${error.message}`,
    );
  });
  // The newest migration is not committed yet, so the last commit is the previous version.
  if (await git(['status', '--porcelain', '--', ...migrations])) return git(['rev-parse', 'HEAD']);
  const newest = await git(['log', '-1', '--diff-filter=A', '--format=%H', '--', ...migrations]);
  return git(['rev-parse', '--verify', '--quiet', `${newest}^`]).catch(() => {
    throw new Error(
      'The former version is taken from git’s history, and this clone does not reach back to the newest migration: git fetch --unshallow',
    );
  });
}

async function buildServices(path: string): Promise<void> {
  // Versions from before dev/ had these folders keep both files directly in dev/.
  const [commands, tools] = existsSync(join(path, 'dev', 'commands')) ? ['commands/', 'tools/'] : ['', ''];
  const script = `
    const { build } = await import('./dev/${commands}build.mjs');
    const { Progress } = await import('./dev/${tools}progress.mjs');
    await build(new Progress(), { only: ['server'] });`;
  await run(process.execPath, ['--input-type=module', '-e', script], { cwd: path });
}

const run = promisify(execFile);

async function git(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { stdout } = await run('git', args, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
