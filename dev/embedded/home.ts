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
  uid: number;
  gid: number;
}

export interface EmbeddedHome {
  folder: string;
  /** Set if this process is root: Postgres refuses to run as root, and Redis has no need to. */
  user?: UnixUser;
}

const pointerName = 'embedded-home';

/**
 * The folder for the embedded servers, created if missing; usually the data folder itself.
 *
 * If this process is root, the servers run as another user, who has to be able to enter the folder. If the data folder is inside a private folder,
 * such as root's home, the servers get a folder under /var/lib. Its path is stored in the data folder.
 */
export function prepareHome(dataDir: string): EmbeddedHome {
  if (!existsSync(dataDir)) {
    mkdirSync(dataDir, { recursive: true });
    // Lets the servers' user enter, whatever the umask. Secret files inside have stricter modes.
    chmodSync(dataDir, 0o755);
  }
  const user = unprivilegedUser();
  if (!user) return { folder: dataDir };
  const pointer = join(dataDir, pointerName);
  if (existsSync(pointer)) {
    const folder = readFileSync(pointer, 'utf8').trim();
    if (existsSync(folder)) return { folder, user };
  }
  if (canUse(user, dataDir) || allowTraversal(user, dataDir)) return { folder: dataDir, user };

  const name = basename(dirname(dataDir)).replace(/[^\w-]/g, '') || 'site';
  const folder = mkdtempSync(`/var/lib/seo-services-${name}-`);
  chmodSync(folder, 0o711);
  writeFileSync(pointer, `${folder}\n`);
  return { folder, user };
}

/** Lets other users pass through the folder, without listing it. If `user` still cannot enter it, restores the mode and returns false. */
function allowTraversal(user: UnixUser, folder: string): boolean {
  const mode = statSync(folder).mode & 0o777;
  chmodSync(folder, mode | 0o011);
  if (canUse(user, folder)) return true;
  chmodSync(folder, mode);
  return false;
}

/** Deletes the data folder and the embedded servers' folder. */
export function removeDataFolder(dataDir: string): void {
  const pointer = join(dataDir, pointerName);
  if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8').trim(), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

/** Whether `user` can enter the folder, or run the program, at `path`. */
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
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error(
    'Postgres does not run as root, and this machine has neither a user "postgres" nor "nobody".',
  );
}
