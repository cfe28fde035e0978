export type InvitationKind = 'admin-invitation' | 'team-invitation';

/** Kept in this tab while the person signs in. */
export function keepInvitationToken(kind: InvitationKind, token: string): void {
  try {
    sessionStorage.setItem(kind, token);
  } catch {
    // Without storage, the person opens the link again after signing in.
  }
}

export function readInvitationToken(kind: InvitationKind): string | null {
  try {
    return sessionStorage.getItem(kind);
  } catch {
    return null;
  }
}

export function forgetInvitationToken(kind: InvitationKind): void {
  try {
    sessionStorage.removeItem(kind);
  } catch {
    // Nothing was kept.
  }
}
