import { paymentProvider } from '#libs/contracts';
import { PriceChange } from '../features/admin-orders/monthly-plans/PriceChange.js';
import { AdminScreen } from '../features/admin/AdminScreen.js';

export function Component() {
  return (
    <AdminScreen
      lead={`Customers keep the price they ordered at until they approve a new one at ${paymentProvider.label}.`}
    >
      <PriceChange />
    </AdminScreen>
  );
}
