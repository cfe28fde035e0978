import type { Section } from '#libs/content-model';
import { publicAddressOf } from '../content-screens.js';

/** To the first public page that shows the section, if there is one. */
export function PublicPageLink({ section }: { section: Section }) {
  const address = publicAddressOf(section);
  return address ? (
    <a className="button button--quiet" href={address} target="_blank" rel="noopener">
      View page<span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  ) : null;
}
