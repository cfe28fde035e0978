import { type ReactNode, useState } from 'react';
import { Waiting } from '../../components/Waiting.js';
import { useQuery } from '../../workspace/query.js';
import { AdminScreen } from './AdminScreen.js';
import { PaypalConnection } from './PaypalConnection.js';

/** The PayPal e-mail (`children`) comes first unless PayPal Checkout is in use. Both parts appear when the first read of the connection has ended. */
export function PaypalScreen({ children }: { children: ReactNode }) {
  const connection = useQuery('GET /paypal-connection');
  // Stays true during a retry, so that the form is not mounted again.
  const [hasSettled, setSettled] = useState(false);
  if (!hasSettled && (connection.data || connection.problem)) setSettled(true);
  if (connection.data?.product === 'checkout') {
    return (
      <AdminScreen title="PayPal" lead="How customers pay you.">
        <PaypalConnection connection={connection} />
        <div className="panel">
          <h2>PayPal e-mail</h2>
          <p>
            Not in use: payments go to the PayPal account that PayPal Checkout was set up with. Only PayPal
            Payments Standard uses this address.
          </p>
          {children}
        </div>
      </AdminScreen>
    );
  }
  return (
    <AdminScreen title="PayPal E-mail" lead="The account that receives payments.">
      {hasSettled ? (
        <>
          {children}
          <PaypalConnection connection={connection} />
        </>
      ) : (
        <Waiting />
      )}
    </AdminScreen>
  );
}
