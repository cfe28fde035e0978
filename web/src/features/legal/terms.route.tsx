import { singleRecord, useSite } from '../../lib/site.js';
import { LegalText } from './LegalText.js';

export function Component() {
  const terms = singleRecord(useSite().terms);
  return <LegalText heading={terms?.termsHeading ?? 'Terms'} text={terms?.termsText} />;
}
