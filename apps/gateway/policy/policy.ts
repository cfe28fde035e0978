/** Who may make a call, and what protects it. Every route declares one; there is no default. */
export interface Policy {
  readonly access: 'public' | 'customer' | 'admin';
  /**
   * Whether the call looks at who asks. `ignored`: the same for everyone (public content, signing in), so that an ended session
   * is no obstacle. Calls that need a person are `used` by necessity.
   */
  readonly session: 'used' | 'ignored';
  /** Takes an `Idempotency-Key`: the same key and body gets the same answer and takes effect once. */
  readonly idempotent?: true;
  /** Which counter bounds it, per client address. */
  readonly limit?: LimitName;
  /** Signs a person in or out, so it is only accepted from the site's own pages and from clients that are no browsers. */
  readonly setsCookies?: true;
}

export const limitNames = ['signIn', 'signUp'] as const;
export type LimitName = (typeof limitNames)[number];

export const openToAll: Policy = { access: 'public', session: 'ignored' };
export const customersOnly: Policy = { access: 'customer', session: 'used' };
export const adminsOnly: Policy = { access: 'admin', session: 'used' };
/** A create call: a repeated one with the same key takes effect once. */
export const adminsOnce: Policy = { ...adminsOnly, idempotent: true };

/** One line for the golden list of routes. */
export function describePolicy({ access, ...rest }: Policy): string {
  const marks = [
    rest.session === 'used' && access === 'public' && 'looks at the session',
    rest.idempotent && 'idempotent',
    rest.limit && `limit ${rest.limit}`,
    rest.setsCookies && 'sets cookies',
  ].filter((mark) => typeof mark === 'string');
  return [access, ...marks].join(', ');
}
