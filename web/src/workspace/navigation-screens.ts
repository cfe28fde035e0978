import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Access } from '../lib/page.js';
import {
  type CurrentScreen,
  type NavigationScreens,
  useAccount,
  useCurrentScreen,
} from './current-screen.js';
import { useCustomerScreenFilter } from './customer-screen-filter.js';
import { useQuery } from './query.js';

/** Navigation entries whose condition (`ifPlans`, `ifInvoices`) is not met are removed, except the current screen's. */
export function useNavigationScreens(area: Access): NavigationScreens {
  const { screen, screens } = useCurrentScreen();
  const showsPlans = useLastKnown(`plans:${area}`, useShowsPlans(area));
  // Only the area `account` has an entry that depends on invoices.
  const billing = useQuery('GET /billing-details', area === 'account' ? {} : null);
  const areInvoicesIssued = useLastKnown('invoices', billing.data?.offered);
  const unread = useUnreadCount(
    area,
    screens.some(({ access, nav }) => access === area && nav?.countsUnread),
  );
  return useMemo(() => {
    const isHidden = ({ path, nav }: CurrentScreen['screen']) =>
      path !== screen.path && ((nav?.ifPlans && !showsPlans) || (nav?.ifInvoices && !areInvoicesIssued));
    const shown = screens.map((one) => (isHidden(one) ? { ...one, nav: undefined } : one));
    return { screen, screens: shown, unread };
  }, [screen, screens, showsPlans, areInvoicesIssued, unread]);
}

const minuteMs = 60_000;

/**
 * Reads the number every minute while the tab is visible, and when the person comes back to the tab. Until the first answer, returns the last known
 * number.
 */
function useUnreadCount(area: Access, isShown: boolean): number | undefined {
  const at = area === 'admin' ? 'GET /staff-projects/summary' : 'GET /projects/summary';
  const summary = useQuery(at, isShown ? {} : null, { everyMs: minuteMs, while: () => true });
  const refetch = useEffectEvent(() => document.visibilityState === 'visible' && summary.retry());
  useEffect(() => {
    if (!isShown) return;
    const onVisible = () => refetch();
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, [isShown]);
  return useLastKnown(`unread:${area}`, summary.data?.unread);
}

/** The last answers, so that an entry does not disappear while the next screen asks again. */
const lastAnswers = new Map<string, unknown>();

/** The answer for this account; while it is not known, the last answer. */
function useLastKnown<T>(question: string, answer: T | undefined): T | undefined {
  const key = `${question}:${useAccount().id}`;
  useEffect(() => {
    if (answer !== undefined) lastAnswers.set(key, answer);
  }, [key, answer]);
  return answer ?? (lastAnswers.get(key) as T | undefined);
}

/**
 * Whether a monthly plan can be ordered or exists: in the account area, a plan of the person's own or, for customers, one that they may pay for; in
 * the admin area, anyone's. Undefined until the answer is known.
 */
function useShowsPlans(area: Access): boolean | undefined {
  const offer = useQuery('GET /plan-subscriptions/offer');
  const isOffered = offer.data?.available;
  const customerScreenFilter = useCustomerScreenFilter();
  const plans = useQuery(
    'GET /plan-subscriptions',
    isOffered === false ? { query: { ...(area === 'account' && customerScreenFilter), limit: 1 } } : null,
  );
  return isOffered || (plans.data ? plans.data.length > 0 : undefined);
}
