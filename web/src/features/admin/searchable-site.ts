import { useQueries } from '@tanstack/react-query';
import { allSections } from '#libs/content-model';
import { type Site, useWholeSite } from '../../lib/site.js';
import { readOptions } from '../../workspace/query.js';

const adminSections = allSections.filter(({ shownOn }) => shownOn === undefined);

/** Sections that only admins can read are loaded once `searching` is true. */
export function useSearchableSite(searching: boolean): Site {
  const publicSite = useWholeSite();
  const reads = useQueries({
    queries: adminSections.map(({ routes }) => ({
      ...readOptions(routes.list),
      enabled: searching,
    })),
  });
  const adminSite = adminSections.map(({ name }, index) => [name, reads[index]?.data?.value ?? []]);
  return { ...publicSite, ...(Object.fromEntries(adminSite) as Site) };
}
