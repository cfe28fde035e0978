import { AdminScreen } from './AdminScreen.js';
import { EditPaypalEmail } from './PaypalEmail.js';

export function Component() {
  return (
    <AdminScreen title="PayPal E-mail" lead="The account that receives payments.">
      <EditPaypalEmail />
    </AdminScreen>
  );
}
