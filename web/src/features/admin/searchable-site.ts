import { useEffect, useState } from 'react';
import { allSections } from '#libs/content-model';
import { type Site, useWholeSite } from '../../lib/site.js';
import { readRecords } from '../../workspace/content-api.js';

const adminSections = allSections.filter(({ shownOn }) => shownOn === undefined);

/** Every record of content. Sections that only admins may read are read when `searching` begins. */
export function useSearchableSite(searching: boolean): Site {
  const publicSite = useWholeSite();
  const [adminSite, setAdminSite] = useState<Site>();
  useEffect(() => {
    if (!searching) return;
    let left = false;
    const reads = adminSections.map(async (section) => {
      const answer = await readRecords(section);
      return [section.name, answer.ok ? answer.value : []];
    });
    void Promise.all(reads).then((read) => left || setAdminSite(Object.fromEntries(read) as Site));
    return () => {
      left = true;
    };
  }, [searching]);
  return { ...publicSite, ...adminSite };
}
