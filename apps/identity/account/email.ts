/** Addresses are unique, and are looked up, without letter case. Their domain part is ASCII by contract. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
