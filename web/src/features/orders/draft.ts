import type { Order } from '#libs/contracts';

/** What a customer types into the order form. */
export interface Details {
  customerName: string;
  customerAddress: string;
  customerCountry: string;
}

/*
 * What was typed outlives a reload and a way through the login. In this tab only, and of this account only: it is a
 * name and an address.
 */
const nameOf = (accountId: string) => `order-draft:${accountId}`;

export function keptDraft(accountId: string): Details | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(nameOf(accountId)) ?? 'null') ?? undefined) as
      Details | undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(accountId: string, details: Details): void {
  try {
    sessionStorage.setItem(nameOf(accountId), JSON.stringify(details));
  } catch {
    // Storage is off or full: the form itself still holds what was typed.
  }
}

export function dropDraft(accountId: string): void {
  try {
    sessionStorage.removeItem(nameOf(accountId));
  } catch {
    // As above.
  }
}

/** What a customer wrote in an earlier order need not be written again. */
export const detailsOf = ({ customerName, customerAddress, customerCountry }: Order): Details => ({
  customerName,
  customerAddress,
  customerCountry,
});
