import { AdminScreen } from './AdminScreen.js';
import { SubscriberTable } from './SubscriberTable.js';

/** Of a page, as documented. */
const size = 5;

export function Component() {
  return (
    <AdminScreen title="Subscribers" lead="Who asked for the newsletter, newest first.">
      {() => <SubscriberTable size={size} />}
    </AdminScreen>
  );
}
