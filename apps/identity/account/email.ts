/** The schema `emailAddress` accepts only ASCII, so lower-casing is enough. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
