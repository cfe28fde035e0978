import type { BillingDetails, Order } from '#libs/contracts';

export interface CustomerDetails {
  customerName: string;
  customerAddress: string;
  customerCountry: string;
  /** Left out if the form does not ask for billing details, and in details from an earlier order. */
  billing?: BillingDetails;
}

/* A draft survives a reload and signing in again. It is kept in this tab and for this account only, because it holds a name and an address. */
const storageKey = (accountId: string) => `order-draft:${accountId}`;

export function readOrderDraft(accountId: string): CustomerDetails | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(storageKey(accountId)) ?? 'null') ?? undefined) as
      | CustomerDetails
      | undefined;
  } catch {
    return undefined;
  }
}

export function keepOrderDraft(accountId: string, details: CustomerDetails): void {
  try {
    sessionStorage.setItem(storageKey(accountId), JSON.stringify(details));
  } catch {
    // Storage is disabled or full: the form still holds the values.
  }
}

export function dropOrderDraft(accountId: string): void {
  try {
    sessionStorage.removeItem(storageKey(accountId));
  } catch {
    // Nothing was kept.
  }
}

/** Without billing details. */
export const customerDetailsOf = ({
  customerName,
  customerAddress,
  customerCountry,
}: Order): CustomerDetails => ({
  customerName,
  customerAddress,
  customerCountry,
});
