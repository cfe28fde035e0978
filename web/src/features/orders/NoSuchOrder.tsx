import { Link } from 'react-router-dom';
import { Checkout } from './Checkout.js';

/** Also for another person's order: whether it exists is nobody else's business. */
export function NoSuchOrder() {
  return (
    <Checkout step="Pay" title="There is no such order" lead="Perhaps it was placed with another account.">
      <p className="buttons">
        <Link className="button" to="/my-order">
          My orders
        </Link>
      </p>
    </Checkout>
  );
}
