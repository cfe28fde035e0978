import { Link } from 'react-router-dom';
import { Ladder } from '../../components/Ladder.js';

/** Says of an address that belongs to the site, but has no screen yet, that this is so. */
export function Unbuilt() {
  return (
    <section className="page-end wrap">
      <Ladder form="gap" />
      <div className="page-end__text">
        <h1>This screen is not built yet</h1>
        <p className="lead">Its address is reserved. Nothing can be seen or changed here for now.</p>
        <p>
          <Link className="button button--quiet" to="/">
            Go to the home page
          </Link>
        </p>
      </div>
    </section>
  );
}
