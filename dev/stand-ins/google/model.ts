/** Somebody with an account at the stand-in: what the ID token will say of them. */
export interface GoogleIdentity {
  /** Never changes, and is what accounts are bound by. Default: made from the address. */
  subject?: string;
  email: string;
  /** Default true. */
  emailVerified?: boolean;
  name?: string;
}

/** How the token endpoint goes wrong for one subject. Claims in `claims` replace those of the ID token; null takes one out. */
export interface GoogleMisbehaviour {
  claims?: Record<string, unknown>;
  /** Signs with a key that is not published, or not at all (`alg: none`). */
  signature?: 'foreign' | 'none';
  /** Answers no sooner than this, in milliseconds. */
  delayMs?: number;
  /** How many answers it befalls; all, unless it says. */
  times?: number;
}

/** What a site is known by here. */
export interface GoogleClient {
  id: string;
  secret: string;
  /** `{PUBLIC_URL}/auth/google/callback`, of each site. */
  redirectUris: string[];
}
