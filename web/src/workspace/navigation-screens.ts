import { useEffect, useMemo } from 'react';
import type { Access } from '../lib/page.js';
import { type CurrentScreen, useAccount, useScreen } from './current-screen.js';
import { useQuery } from './query.js';

/** The current screen and all screens, without the navigation entries that this site has no use for. */
export function useNavigationScreens(area: Access): CurrentScreen {
  const { screen, screens } = useScreen();
  const doPlansRenew = usePlansRenew(area);
  return useMemo(() => {
    const isHidden = ({ path, nav }: CurrentScreen['screen']) =>
      nav?.ifPlansRenew && !doPlansRenew && path !== screen.path;
    return { screen, screens: screens.map((one) => (isHidden(one) ? { ...one, nav: undefined } : one)) };
  }, [screen, screens, doPlansRenew]);
}

/** The last answer, so that the entry does not disappear while the next screen asks again. */
let last = { key: '', answer: false };

/** Whether a monthly plan can be ordered, or this person, or for admins any customer, has one. */
function usePlansRenew(area: Access): boolean {
  const key = `${area}:${useAccount().id}`;
  const offer = useQuery('GET /plan-subscriptions/offer');
  const isOffered = offer.data?.available;
  const own = area === 'account' || undefined;
  const plans = useQuery(
    'GET /plan-subscriptions',
    isOffered === false ? { query: { own, limit: 1 } } : null,
  );
  const answer = isOffered || (plans.data ? plans.data.length > 0 : undefined);
  useEffect(() => {
    if (answer !== undefined) last = { key, answer };
  }, [key, answer]);
  return answer ?? (last.key === key && last.answer);
}
