import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Redis is neither on PATH nor available from apt. */
export class RedisNotFound extends Error {
  constructor(reason: string) {
    super(
      `There is no Redis: neither redis-server nor valkey-server is on PATH, and ${reason}. ` +
        'Install it (apt-get install redis-server; dnf install valkey; brew install redis), or start one ' +
        '(docker run -p 6379:6379 redis) and set REDIS_URL=redis://localhost:6379.',
    );
  }
}

/** The path of the server program: on PATH, or else unpacked from the distribution's packages into `folder`. Rejects with RedisNotFound. */
export async function ensureRedis(folder: string): Promise<string> {
  const installed = onPath('redis-server') ?? onPath('valkey-server');
  if (installed) return installed;
  const unpacked = join(folder, 'redis-server');
  if (!existsSync(unpacked)) await unpackFromApt(folder, unpacked);
  return join(unpacked, 'bin', 'redis-server');
}

const wrapper = `#!/bin/sh
# Runs the server with the shared libraries that were unpacked with it.
lib=$(dirname "$0")/../lib
LD_LIBRARY_PATH=$lib exec "$lib/redis-server" "$@"
`;

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * Debian's package `redis-tools` has the server binary as redis-check-rdb. It runs as the server if its name is redis-server. Unpacking needs no
 * root and, unlike installing, starts no system service.
 */
async function unpackFromApt(folder: string, destination: string): Promise<void> {
  if (!onPath('apt-get')) throw new RedisNotFound('there is no apt-get to fetch it with');
  const work = mkdtempSync(join(folder, 'redis-download-'));
  try {
    const wanted = await packagesToUnpack();
    await execute('apt-get', ['download', ...wanted], { cwd: work });
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb')))
      await execute('dpkg-deb', ['-x', file, join(work, 'root')], { cwd: work });
    const result = join(work, 'redis-server');
    for (const part of ['lib', 'bin']) mkdirSync(join(result, part), { recursive: true });
    renameSync(join(work, 'root', 'usr', 'bin', 'redis-check-rdb'), join(result, 'lib', 'redis-server'));
    writeFileSync(join(result, 'bin', 'redis-server'), wrapper);
    for (const file of readdirSync(join(work, 'root'), { recursive: true, encoding: 'utf8' }))
      if (/\.so(\.\d+)*$/.test(file))
        renameSync(join(work, 'root', file), join(result, 'lib', file.split('/').pop()!));
    // If this process is root, another user runs the server (`EmbeddedHome`).
    for (const path of ['.', 'lib', 'bin', 'bin/redis-server']) chmodSync(join(result, path), 0o755);
    renameSync(result, destination);
  } catch (error) {
    // A concurrent start has unpacked it first.
    if (existsSync(destination)) return;
    const { stderr, message } = error as { stderr?: string; message: string };
    const lines = (stderr || message).trim().split('\n');
    throw new RedisNotFound(
      `it could not be fetched with apt and unpacked (${lines.find((line) => line.startsWith('E:')) ?? lines.at(-1)})`,
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function packagesToUnpack(): Promise<string[]> {
  let depends = await redisDependencies();
  if (!depends) {
    // A fresh machine has no package lists; only root may fetch them.
    await execute('apt-get', ['update']);
    depends = await redisDependencies();
  }
  const missing: string[] = [];
  for (const name of depends ?? []) {
    const installed = await execute('dpkg-query', ['-W', '-f=${db:Status-Status}', name]).catch(
      () => undefined,
    );
    if (installed?.stdout !== 'installed') missing.push(name);
  }
  return ['redis-tools', ...missing];
}

async function redisDependencies(): Promise<string[] | undefined> {
  const { stdout } = await execute('apt-cache', ['depends', 'redis-tools']).catch(() => ({ stdout: '' }));
  if (!stdout.trim()) return undefined;
  return [...stdout.matchAll(/^ *Depends: ([^<\s]+)$/gm)].map((match) => match[1]!);
}
