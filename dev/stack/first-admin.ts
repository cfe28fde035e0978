import { randomBytes } from 'node:crypto';
import type { DataFolder } from './data-folder.js';
import type { StackSettings } from './settings.js';

export interface AdminSignIn {
  email: string;
  /** Only if known: as configured (the admin may have changed it since), or generated and not printed yet. */
  password?: string;
  /** True if this start creates the account, and also if an earlier start did, but was interrupted before the password was printed. */
  isNew: boolean;
}

const passwordFile = 'first-admin.json';

/**
 * The first admin's sign-in. `earliestAdmin` is the address of the earliest admin, if there already is one. A new admin's password is stored
 * in the data folder until it has been printed, so that a generated one is not lost if the start is interrupted before that.
 */
export function firstAdmin(
  settings: StackSettings,
  folder: DataFolder,
  earliestAdmin: string | undefined,
): AdminSignIn {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: configured } = settings;
  const unprinted = folder.read<{ email: string; password: string }>(passwordFile);
  if (earliestAdmin !== undefined) {
    if (unprinted) return { ...unprinted, isNew: true };
    const known = configured !== undefined && earliestAdmin.toLowerCase() === email.toLowerCase();
    return { email: earliestAdmin, ...(known && { password: configured }), isNew: false };
  }
  const kept = unprinted?.email === email ? unprinted.password : undefined;
  const password = configured ?? kept ?? randomBytes(12).toString('base64url');
  folder.writeJson(passwordFile, { email, password });
  return { email, password, isNew: true };
}

/** Deletes the stored password of the first admin, after it was printed. */
export function forgetFirstAdminPassword(folder: DataFolder): void {
  folder.remove(passwordFile);
}
