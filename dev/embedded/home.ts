import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface UnixUser {
  name: string;
  uid: number;
  gid: number;
}

/** Where the embedded servers keep what is theirs, and as whom they run. */
export interface EmbeddedHome {
  folder: string;
  /** Set when we are root: Postgres refuses to run as root, and Redis has no need to. */
  user?: UnixUser;
}

const pointerName = 'embedded-home';

/**
 * The folder for the embedded servers: the data folder itself, or, when we are root and the folder lies where only
 * root may go (root's home, a private temporary folder), one under /var/lib that the data folder remembers.
 */
export function embeddedHome(dataDir: string): EmbeddedHome {
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true });
    // Whatever the umask: what is secret inside has its own mode.
    chmodSync(dataDir, 0o755);
  }
  const user = unprivilegedUser();
  if (!user) return { folder: dataDir };
  const pointer = join(dataDir, pointerName);
  if (existsSync(pointer)) return { folder: readFileSync(pointer, 'utf8').trim(), user };
  if (canUse(user, dataDir) || openToPass(user, dataDir)) return { folder: dataDir, user };

  const name = basename(dirname(dataDir)).replace(/[^\w-]/g, '') || 'site';
  const folder = mkdtempSync(`/var/lib/seo-services-${name}-`);
  chmodSync(folder, 0o711);
  writeFileSync(pointer, `${folder}\n`);
  return { folder, user };
}

/** Lets others pass through the folder, without seeing what is in it, if that is all that is missing. */
function openToPass(user: UnixUser, folder: string): boolean {
  const mode = statSync(folder).mode & 0o777;
  chmodSync(folder, mode | 0o011);
  if (canUse(user, folder)) return true;
  chmodSync(folder, mode);
  return false;
}

/** Removes a data folder with what the embedded servers keep for it. */
export function removeHome(dataDir: string): void {
  const pointer = join(dataDir, pointerName);
  if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8').trim(), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** Whether that user may enter the folder or run the file. */
export function canUse(user: UnixUser, path: string): boolean {
  return spawnSync('test', ['-x', path], { uid: user.uid, gid: user.gid }).status === 0;
}

function unprivilegedUser(): UnixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = users.find(([entryName]) => entryName === name);
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error(
    'Postgres does not run as root, and this machine has neither a user "postgres" nor "nobody".',
  );
}
