import { Link } from 'react-router-dom';

/** The list in which this page has no place. */
const ranks = [402, 403, 404, 405, 406];

export function Component() {
  return (
    <section className="not-found wrap">
      <div className="not-found__text">
        <h1>Page not found</h1>
        <p className="lead">
          There is nothing at this address. It may have moved, or it never had a place on the list.
        </p>
        <p className="buttons">
          <Link className="button" to="/">
            Go to the home page
          </Link>
          <Link className="button button--quiet" to="/contact">
            Write to us
          </Link>
        </p>
      </div>
      <ol className="not-found__list" aria-hidden="true">
        {ranks.map((rank) => (
          <li className={rank === 404 ? 'not-found__gap' : undefined} key={rank}>
            {rank}
          </li>
        ))}
      </ol>
    </section>
  );
}
