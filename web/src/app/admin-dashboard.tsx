import { DashboardOrderList, OrderFigures } from '../features/admin-orders/DashboardOrders.js';
import { Charts } from '../features/admin-orders/Charts.js';
import { AdminDashboard } from '../features/admin/AdminDashboard.js';

export function Component() {
  return <AdminDashboard totals={<OrderFigures />} charts={<Charts />} orders={<DashboardOrderList />} />;
}
