import { Link } from 'react-router-dom';

/** The numbers of a list of search results. The page draws 404 as a gap. */
const ranks = [402, 403, 404, 405, 406];

export function Component() {
  return (
    <section className="not-found wrap">
      <div className="not-found__text">
        <h1>Page not found</h1>
        <p className="lead">Check the address, or go to the home page. The page may have moved.</p>
        <p className="buttons">
          <Link className="button" to="/">
            Go to the home page
          </Link>
          <Link className="button button--quiet" to="/contact">
            Contact us
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
