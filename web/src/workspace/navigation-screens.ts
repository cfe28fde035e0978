import { useEffect, useMemo } from 'react';
import type { Access } from '../lib/page.js';
import { type CurrentScreen, useAccount, useScreen } from './current-screen.js';
import { useQuery } from './query.js';

/** The current screen and all screens, without the navigation entries that this site has no use for. */
export function useNavigationScreens(area: Access): CurrentScreen {
  const { screen, screens } = useScreen();
  const doPlansRenew = useKept(`plans:${area}`, usePlansRenew(area));
  // Only customers have an entry that depends on it.
  const billing = useQuery('GET /billing-details', area === 'account' ? {} : null);
  const areInvoicesIssued = useKept('invoices', billing.data?.offered);
  return useMemo(() => {
    const isHidden = ({ path, nav }: CurrentScreen['screen']) =>
      path !== screen.path &&
      ((nav?.ifPlansRenew && !doPlansRenew) || (nav?.ifInvoices && !areInvoicesIssued));
    return { screen, screens: screens.map((one) => (isHidden(one) ? { ...one, nav: undefined } : one)) };
  }, [screen, screens, doPlansRenew, areInvoicesIssued]);
}

/** The last answers, so that an entry does not disappear while the next screen asks again. */
const last = new Map<string, boolean>();

/** The answer of this account, or its last one while it is not known. */
function useKept(question: string, answer: boolean | undefined): boolean {
  const key = `${question}:${useAccount().id}`;
  useEffect(() => {
    if (answer !== undefined) last.set(key, answer);
  }, [key, answer]);
  return answer ?? last.get(key) ?? false;
}

/** Whether a monthly plan can be ordered, or this person, or for admins any customer, has one. Undefined until it is known. */
function usePlansRenew(area: Access): boolean | undefined {
  const offer = useQuery('GET /plan-subscriptions/offer');
  const isOffered = offer.data?.available;
  const own = area === 'account' || undefined;
  const plans = useQuery(
    'GET /plan-subscriptions',
    isOffered === false ? { query: { own, limit: 1 } } : null,
  );
  return isOffered || (plans.data ? plans.data.length > 0 : undefined);
}
