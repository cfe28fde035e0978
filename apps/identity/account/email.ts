/** Addresses are unique and looked up regardless of letter case. Their domain is ASCII by contract. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
