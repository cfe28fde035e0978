/** Every operation declares a policy; there is no default. */
export interface Policy {
  readonly access: 'public' | 'customer' | 'admin';
  /** `strict`: a token that is sent must be valid. `lenient`: a caller with an invalid token is a visitor. `ignored`: tokens are not read. */
  readonly session: 'strict' | 'lenient' | 'ignored';
  /** Requires a fresh sign-in: 403 FRESH_SIGN_IN_REQUIRED until the person confirms with `POST /auth/confirm` or Google, or signs in again. */
  readonly fresh?: true;
  /** Accepts an `Idempotency-Key`: a request with the same key and body takes effect once and gets the same answer. */
  readonly idempotent?: true;
  /** The limit that counts these calls, for each client network. */
  readonly limit?: LimitName;
  /** The token in the link is the only credential: cookies are not read, and other sites and mail programs may call (RFC 8058). */
  readonly provedByLink?: true;
  /**
   * Sets or clears the session's cookies. Unless it is a GET, accepted only from the site's own pages, from clients that are not browsers and send no
   * session cookie, or with a Bearer token.
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
/** Admins included. */
export const signedInOnly: Policy = { access: 'customer', session: 'strict' };
export const adminsOnly: Policy = { access: 'admin', session: 'strict' };
/** For calls that must not take effect again when a client repeats them, such as those that create something. */
export const adminsIdempotent: Policy = { ...adminsOnly, idempotent: true };
/** For what a customer does with payments and plans. */
export const paymentPolicy: Policy = { ...signedInOnly, idempotent: true, limit: 'payments' };
export const publicForm: Policy = { access: 'public', session: 'lenient', idempotent: true, limit: 'forms' };
/** For links in newsletters and confirmation mails. No rate limit: one mail provider may call on behalf of many people. */
export const linkHolders: Policy = { ...openToAll, provedByLink: true };

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
