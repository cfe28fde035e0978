const key = 'admin-invitation';

/** Keeps the token of an invitation in this tab while the person signs in. */
export function keepInvitation(token: string): void {
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Without storage, the person opens the link again after signing in.
  }
}

export function keptInvitation(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function forgetInvitation(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
