import { EditPaypalEmail } from './PaypalEmail.js';
import { PaypalScreen } from './PaypalScreen.js';

export function Component() {
  return (
    <PaypalScreen>
      <EditPaypalEmail />
    </PaypalScreen>
  );
}
