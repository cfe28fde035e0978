import { randomBytes } from 'node:crypto';
import type { DataFolder } from './data-folder.js';
import type { StackSettings } from './settings.js';

export interface AdminSignIn {
  email: string;
  /** Only when it is known: set by configuration, or just generated. */
  password?: string;
  /** This start makes the account, or the one that did never came to say so. */
  isNew: boolean;
}

const noteName = 'first-admin.json';

/**
 * The first admin's sign-in; `existing` is the address of an admin there is already. A generated password waits in the
 * data folder until it has been printed, so that a start that is interrupted between making the account and saying so
 * does not lose it.
 */
export function firstAdmin(
  settings: StackSettings,
  folder: DataFolder,
  existing: string | undefined,
): AdminSignIn {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: configured } = settings;
  const waiting = folder.read<{ email: string; password: string }>(noteName);
  if (existing !== undefined) {
    if (waiting) return { ...waiting, isNew: true };
    const known = configured !== undefined && existing.toLowerCase() === email.toLowerCase();
    return { email: existing, ...(known && { password: configured }), isNew: false };
  }
  const kept = waiting?.email === email ? waiting.password : undefined;
  const password = configured ?? kept ?? randomBytes(12).toString('base64url');
  folder.writeJson(noteName, { email, password });
  return { email, password, isNew: true };
}

export function signInWasPrinted(folder: DataFolder): void {
  folder.remove(noteName);
}
