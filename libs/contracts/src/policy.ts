/** Who may make a call, and what protects it. Every operation declares a policy; there is no default. */
export interface Policy {
  readonly access: 'public' | 'customer' | 'admin';
  /**
   * How the caller's session is treated. `required`: a token that is sent must be valid. `optional`: a caller with an invalid token is
   * treated as a visitor. `ignored`: tokens are not read (public content, signing in).
   */
  readonly session: 'required' | 'optional' | 'ignored';
  /** Requires a fresh sign-in: 403 FRESH_SIGN_IN_REQUIRED until `POST /auth/confirm` succeeds or the person signs in again. */
  readonly fresh?: true;
  /** Accepts an `Idempotency-Key`: a repeated request with the same key and body takes effect once and gets the same answer. */
  readonly idempotent?: true;
  /** The rate limit that applies, counted per client network. */
  readonly limit?: LimitName;
  /** The token in the link is the only credential: the call is accepted from other sites and mail programs, and cookies are not read (RFC 8058). */
  readonly provedByLink?: true;
  /**
   * Sets or clears the cookies of a session, so it is accepted only from the site's own pages, from clients that are not browsers, or with a
   * Bearer token.
   */
  readonly setsCookies?: true;
}

export type LimitName =
  | 'signIn'
  | 'challenges'
  | 'signUp'
  | 'mail'
  | 'forms'
  | 'orders'
  | 'payments'
  | 'paymentNotifications'
  | 'mailReports';

export const openToAll: Policy = { access: 'public', session: 'ignored' };
/** For everybody who is signed in, admins included. */
export const signedInOnly: Policy = { access: 'customer', session: 'required' };
export const adminsOnly: Policy = { access: 'admin', session: 'required' };
/** For calls that must not take effect again when a client repeats them, such as those that create something. */
export const adminsIdempotent: Policy = { ...adminsOnly, idempotent: true };
/** A form that visitors send. */
export const publicForm: Policy = { access: 'public', session: 'optional', idempotent: true, limit: 'forms' };
/** For the links in newsletters and confirmation mails. Not rate-limited: one mail provider may call on behalf of many people. */
export const linkHolders: Policy = { ...openToAll, provedByLink: true };

/** One line for the golden list of routes. */
export function describePolicy({ access, ...rest }: Policy): string {
  const marks = [
    access === 'public' && rest.session !== 'ignored' && `session ${rest.session}`,
    rest.fresh && 'fresh sign-in',
    rest.idempotent && 'idempotent',
    rest.limit && `limit ${rest.limit}`,
    rest.provedByLink && 'proved by its link',
    rest.setsCookies && 'sets cookies',
  ].filter((mark) => typeof mark === 'string');
  return [access, ...marks].join(', ');
}
