export interface GoogleIdentity {
  /** Identifies the account and never changes. Default: derived from the address. */
  subject?: string;
  email: string;
  /** Default true. */
  emailVerified?: boolean;
  name?: string;
}

/** How the token endpoint misbehaves for one subject. `claims` are added to the ID token or replace its own; null removes a claim. */
export interface GoogleMisbehaviour {
  claims?: Record<string, unknown>;
  /** Signs with a key that is not published, or not at all (`alg: none`). */
  signature?: 'foreign' | 'none';
  /** The least delay of the answer, in milliseconds. */
  delayMs?: number;
  /** How many answers are affected. Default: all. */
  times?: number;
}

export interface GoogleClient {
  id: string;
  secret: string;
  /** `/auth/google/callback` at each address of the site. */
  redirectUris: string[];
}
