import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve('.');
const migrations = ['apps/*/migrations/*', 'libs/database/src/*.migration.ts'];

/** The commit before the newest migration, built in the folder `path`. During an upgrade, this version still runs after the migrations. */
export interface PreviousVersion {
  readonly path: string;
  remove(): void;
}

/** Rejects if git's history does not reach back that far. */
export async function buildPreviousVersion(): Promise<PreviousVersion> {
  const commit = await previousCommit();
  const path = mkdtempSync(join(tmpdir(), 'seo-services-previous-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    const env = { ...process.env, GIT_INDEX_FILE: join(path, '.index') };
    await git(['read-tree', commit], env);
    await git(['checkout-index', '--all', `--prefix=${path}/`], env);
    // Installing the previous version's own packages would take longer than everything else.
    symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'));
    await buildServices(path);
    return { path, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function previousCommit(): Promise<string> {
  await git(['rev-parse', '--git-dir']).catch((error: Error) => {
    throw new Error(
      `The previous version is taken from git's history, and this is not a clone: ${error.message}`,
    );
  });
  // If a migration has uncommitted changes, the last commit is the previous version.
  if (await git(['status', '--porcelain', '--', ...migrations])) return git(['rev-parse', 'HEAD']);
  const newest = await git(['log', '-1', '--diff-filter=A', '--format=%H', '--', ...migrations]);
  return git(['rev-parse', '--verify', '--quiet', `${newest}^`]).catch(() => {
    throw new Error(
      'The previous version is taken from git’s history, and this clone does not reach back to the newest migration. Run: git fetch --unshallow',
    );
  });
}

async function buildServices(path: string): Promise<void> {
  // In older versions, these files are directly in dev/.
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
