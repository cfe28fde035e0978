export interface Offer {
  json: boolean;
  page: boolean;
  /** The path is written as the page's documented address (`/service/`), not as the call's (`/service`). */
  isPagePath: boolean;
}

/**
 * Chooses between the page and the JSON of a path that has both. A navigating browser names `text/html` and gets the page. A client that names
 * `application/json` gets JSON. A client that names both gets the one with the greater weight, or the page if they are equal. A client that names
 * neither gets what the spelling of the path stands for.
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
 * The weight (RFC 9110, section 12.4.2) of a media type that an `Accept` header names; 0 if it is not named. The npm module `negotiator` also counts
 * wildcards, and takes twice as long.
 */
export function weightOf(mediaType: string, accept: string | undefined): number {
  if (!accept) return 0;
  let best = 0;
  for (const entry of accept.split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    if (name !== mediaType) continue;
    best = Math.max(best, parseWeight(parameters));
  }
  return best;
}

function parseWeight(parameters: string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const value = Number(given.slice(2));
  return value >= 0 && value <= 1 ? value : 1;
}
