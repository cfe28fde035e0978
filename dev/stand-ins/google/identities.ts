import { createHash } from 'node:crypto';
import type { GoogleIdentity } from './model.js';

export const demoIdentities: readonly (GoogleIdentity & { name: string })[] = [
  { email: 'ada.lovelace@example.com', name: 'Ada Lovelace', emailVerified: true },
  { email: 'grace.hopper@example.com', name: 'Grace Hopper', emailVerified: true },
  { email: 'admin@example.com', name: 'The owner of admin@example.com', emailVerified: true },
  { email: 'unproved@example.com', name: 'Somebody with an unverified address', emailVerified: false },
];

const maxRemembered = 10_000;

/** Whoever has signed in here, by subject. Beyond `maxRemembered`, the oldest are forgotten. */
export class Identities {
  private readonly bySubject = new Map<string, Required<GoogleIdentity>>();

  /** Returns the subject. */
  put({ email, subject = subjectOf(email), emailVerified = true, name = '' }: GoogleIdentity): string {
    this.bySubject.delete(subject);
    this.bySubject.set(subject, { subject, email, emailVerified, name });
    if (this.bySubject.size > maxRemembered) this.bySubject.delete(this.bySubject.keys().next().value!);
    return subject;
  }

  find(subject: string): Required<GoogleIdentity> | undefined {
    return this.bySubject.get(subject);
  }
}

/** 21 digits, like Google's. Derived from the address, so that it stays the same after a restart. */
function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest();
  return `1${(digest.readBigUInt64BE(0) % 10n ** 18n).toString().padStart(20, '0')}`;
}
