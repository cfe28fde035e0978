import type { BillingDetails, Order } from '#libs/contracts';

export interface OrderDetails {
  customerName: string;
  customerAddress: string;
  customerCountry: string;
  /** Left out if the form does not ask for billing details, and in details from an earlier order. */
  billing?: BillingDetails;
}

/* A draft survives a reload and signing in again. It is kept in this tab and for this account only, because it holds a name and an address. */
const storageKey = (accountId: string) => `order-draft:${accountId}`;

export function readDraft(accountId: string): OrderDetails | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(storageKey(accountId)) ?? 'null') ?? undefined) as
      | OrderDetails
      | undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(accountId: string, details: OrderDetails): void {
  try {
    sessionStorage.setItem(storageKey(accountId), JSON.stringify(details));
  } catch {
    // Storage is disabled or full: the form still holds the values.
  }
}

export function dropDraft(accountId: string): void {
  try {
    sessionStorage.removeItem(storageKey(accountId));
  } catch {
    // Nothing was kept.
  }
}

/** Without billing details. */
export const detailsOf = ({ customerName, customerAddress, customerCountry }: Order): OrderDetails => ({
  customerName,
  customerAddress,
  customerCountry,
});
