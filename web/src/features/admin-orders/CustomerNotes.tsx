import { Link } from 'react-router-dom';
import { formatOrderNumber, type StaffNote } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { useQuery } from '../../workspace/query.js';
import { StaffNotes } from '../../workspace/StaffNotes.js';

export function CustomerNotes({ customerId }: { customerId: string }) {
  const params = { id: customerId };
  return (
    <StaffNotes
      notes={useQuery('GET /customer/:id/notes', { params })}
      subjectId={customerId}
      about="this customer"
      origin={aboutOrder}
      add={(text, idempotencyKey) =>
        callApi('POST /customer/:id/note', { params, body: { text }, idempotencyKey })
      }
    />
  );
}

function aboutOrder({ orderId, orderNumber: number }: StaffNote) {
  return (
    orderId && (
      <>
        , about order{' '}
        <Link to={`/admin/payment-status/${orderId}`}>{formatOrderNumber({ _id: orderId, number })}</Link>
      </>
    )
  );
}
