import { singleRecord, useSite } from '../../lib/site.js';
import { LegalTextPage } from './LegalTextPage.js';

export function Component() {
  const terms = singleRecord(useSite().terms);
  return <LegalTextPage heading={terms?.termsHeading ?? 'Terms'} text={terms?.termsText} />;
}
