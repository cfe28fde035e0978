import { OrderList, TotalSales } from '../features/admin-orders/DashboardOrders.js';
import { Charts } from '../features/admin-orders/Charts.js';
import { AdminDashboard } from '../features/admin/AdminDashboard.js';

export function Component() {
  return <AdminDashboard sales={<TotalSales />} charts={<Charts />} orders={<OrderList />} />;
}
