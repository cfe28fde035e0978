import { only, useSite } from '../../lib/site.js';
import { LegalText } from './LegalText.js';

export function Component() {
  const privacy = only(useSite().privacy);
  return <LegalText heading={privacy?.privacyHeading ?? 'Privacy'} text={privacy?.privacyText} />;
}
