import { Link } from 'react-router-dom';
import { OrderLayout } from './OrderLayout.js';

/** Also shown for another customer's order, so that the screen does not reveal whether the order exists. */
export function NoSuchOrder() {
  return (
    <OrderLayout step="Pay" title="Order not found" lead="It may have been placed with a different account.">
      <p className="buttons">
        <Link className="button" to="/my-order">
          My orders
        </Link>
      </p>
    </OrderLayout>
  );
}
