import { singleRecord, useSite } from '../../lib/site.js';
import { LegalText } from './LegalText.js';

export function Component() {
  const privacy = singleRecord(useSite().privacy);
  return <LegalText heading={privacy?.privacyHeading ?? 'Privacy'} text={privacy?.privacyText} />;
}
