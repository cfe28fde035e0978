/** Addresses are unique and looked up regardless of letter case. The schema `emailAddress` accepts only ASCII, so lower-casing is enough. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
