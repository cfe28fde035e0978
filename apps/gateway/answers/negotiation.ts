/** The kinds of answers that a path has for GET and HEAD. */
export interface Offer {
  /** The REST API answers GET here. */
  json: boolean;
  /** The site has a page here. */
  page: boolean;
  /** The path is written as the page's documented address (`/service/`), not as the call's (`/service`). */
  isPagePath: boolean;
}

/**
 * Page or JSON. A navigating browser names `text/html` and gets the page if there is one. A client that names
 * `application/json` gets JSON wherever the API answers. A client that names both gets the one with the greater
 * weight, and the page if the weights are equal. A client that names neither gets the kind of answer to which the path
 * belongs. Where there is no page, the answer is always JSON; where the API does not answer GET, it is always the page.
 */
export function chooseAnswer(offer: Offer, accept: string | undefined): 'page' | 'json' {
  if (!offer.json) return 'page';
  if (!offer.page) return 'json';
  const html = weightOf('text/html', accept);
  const json = weightOf('application/json', accept);
  if (html > 0 || json > 0) return html >= json ? 'page' : 'json';
  return offer.isPagePath ? 'page' : 'json';
}

/**
 * The weight (RFC 9110, section 12.4.2) that an `Accept` header gives to a media type by name; 0 if the header does not name the type.
 * Wildcards do not count. The npm module `negotiator` is not used, because it counts them, and takes twice as long for a header.
 */
export function weightOf(mediaType: string, accept: string | undefined): number {
  if (!accept) return 0;
  let best = 0;
  for (const entry of accept.split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    if (name !== mediaType) continue;
    best = Math.max(best, weight(parameters));
  }
  return best;
}

function weight(parameters: string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const value = Number(given.slice(2));
  return value >= 0 && value <= 1 ? value : 1;
}
