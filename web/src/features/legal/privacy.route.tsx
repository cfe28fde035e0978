import { singleRecord, useSite } from '../../lib/site.js';
import { LegalTextPage } from './LegalTextPage.js';

export function Component() {
  const privacy = singleRecord(useSite().privacy);
  return <LegalTextPage heading={privacy?.privacyHeading ?? 'Privacy'} text={privacy?.privacyText} />;
}
