import { PaypalEmailEditor } from './PaypalEmail.js';
import { PaypalScreen } from './PaypalScreen.js';

export function Component() {
  return (
    <PaypalScreen>
      <PaypalEmailEditor />
    </PaypalScreen>
  );
}
