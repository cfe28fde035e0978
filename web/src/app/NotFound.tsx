import { Link } from 'react-router-dom';
import { Ladder } from '../components/Ladder.js';

export function Component() {
  return (
    <section className="page-end wrap">
      <Ladder form="gap" />
      <div className="page-end__text">
        <p className="figure-label">404</p>
        <h1>Page not found</h1>
        <p className="lead">
          There is nothing at this address. It may have moved, or it never had a place on the list.
        </p>
        <p>
          <Link className="button" to="/">
            Go to the home page
          </Link>
        </p>
      </div>
    </section>
  );
}
