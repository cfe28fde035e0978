/** Who may make a call, and what protects it. Every route declares one; there is no default. */
export interface Policy {
  readonly access: 'public' | 'customer' | 'admin';
  /**
   * What the call makes of who asks. `required`: it looks, and a token that is not good is refused. `optional`: it looks, and
   * with such a token the caller is a visitor. `ignored`: the same for everyone (public content, signing in).
   */
  readonly session: 'required' | 'optional' | 'ignored';
  /** Asks for a sign-in of the last minutes: 403 FRESH_SIGN_IN_REQUIRED, and `POST /auth/confirm` makes it one. */
  readonly fresh?: true;
  /** Takes an `Idempotency-Key`: the same key and body gets the same answer and takes effect once. */
  readonly idempotent?: true;
  /** Which counter bounds it, per client address. */
  readonly limit?: LimitName;
  /**
   * Who has the link's token may call it from anywhere, other sites and mail programs included: it needs no cookie, and looks at none (RFC 8058).
   */
  readonly provedByLink?: true;
  /** Signs a person in or out, so it is only accepted from the site's own pages and from clients that are no browsers. */
  readonly setsCookies?: true;
}

export const limitNames = [
  ...(['signIn', 'challenges', 'signUp', 'mail'] as const),
  ...(['forms', 'orders', 'payments', 'notices', 'mailReports'] as const),
] as const;
export type LimitName = (typeof limitNames)[number];

export const openToAll: Policy = { access: 'public', session: 'ignored' };
export const customersOnly: Policy = { access: 'customer', session: 'required' };
export const adminsOnly: Policy = { access: 'admin', session: 'required' };
/** A create call: a repeated one with the same key takes effect once. */
export const adminsOnce: Policy = { ...adminsOnly, idempotent: true };
/** A form that visitors send: the same for everyone, once per key, and bounded per address. */
export const publicForm: Policy = { access: 'public', session: 'optional', idempotent: true, limit: 'forms' };

/** What the links of newsletters lead to. Not limited: one mail program calls for all of its people. */
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
