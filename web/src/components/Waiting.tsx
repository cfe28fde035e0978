import { Ladder } from './Ladder.js';
import { WithoutScript } from './WithoutScript.js';

export function Waiting() {
  return (
    <div className="waiting wrap">
      <Ladder form="loading" />
      <p className="visually-hidden" role="status">
        Loading
      </p>
      <WithoutScript>
        This page needs JavaScript. Please turn it on and reload the page. You can read the home page,
        services, pricing, contact, terms and privacy pages without it.
      </WithoutScript>
    </div>
  );
}
