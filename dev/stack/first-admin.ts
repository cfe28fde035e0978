import { randomBytes } from 'node:crypto';
import type { DataFolder } from './data-folder.js';
import type { StackSettings } from './settings.js';

export interface AdminSignIn {
  email: string;
  /** Only if known: as configured (the admin may have changed it since), or generated and not printed yet. */
  password?: string;
  /** True if this start creates the account, or an earlier one did and was interrupted before the password was printed. */
  isNew: boolean;
}

const passwordFile = 'first-admin.json';

/**
 * `earliestAdmin` is the earliest admin's e-mail address, if any. A new admin's password is stored in the data folder until it has been printed, so
 * that an interrupted start does not lose it.
 */
export function prepareFirstAdmin(
  settings: StackSettings,
  folder: DataFolder,
  earliestAdmin: string | undefined,
): AdminSignIn {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: configuredPassword } = settings;
  const unprinted = folder.readJson<{ email: string; password: string }>(passwordFile);
  if (earliestAdmin !== undefined) {
    const isTheirs = (address: string) => address.toLowerCase() === earliestAdmin.toLowerCase();
    if (unprinted && isTheirs(unprinted.email)) return { ...unprinted, isNew: true };
    const isPasswordKnown = configuredPassword !== undefined && isTheirs(email);
    return { email: earliestAdmin, ...(isPasswordKnown && { password: configuredPassword }), isNew: false };
  }
  const unprintedPassword = unprinted?.email === email ? unprinted.password : undefined;
  const password = configuredPassword ?? unprintedPassword ?? randomBytes(12).toString('base64url');
  folder.writeJson(passwordFile, { email, password });
  return { email, password, isNew: true };
}

/** Call it after the password was printed. */
export function forgetFirstAdminPassword(folder: DataFolder): void {
  folder.remove(passwordFile);
}
