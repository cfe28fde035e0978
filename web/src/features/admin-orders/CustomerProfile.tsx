import './admin-orders.css';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Customer, CustomerAccount } from '#libs/contracts';
import { money } from '../../lib/money.js';
import { DemoLabel } from '../../workspace/DemoLabel.js';
import { Details } from '../../workspace/Details.js';
import { Empty } from '../../workspace/Empty.js';
import { Figure, Figures } from '../../workspace/Figures.js';
import { formatNumber, formatDate } from '../../workspace/formats.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type Query, useQuery } from '../../workspace/query.js';
import { Failure } from '../../workspace/Failure.js';
import { Status } from '../../workspace/Status.js';
import { subscriberStatusWords } from '../../workspace/subscriber-words.js';
import { When } from '../../workspace/When.js';
import { CustomerMessages } from './CustomerMessages.js';
import { CustomerNotes } from './CustomerNotes.js';
import { CustomerOrders } from './CustomerOrders.js';
import { CustomerPlans } from './monthly-plans/CustomerPlans.js';

/**
 * The totals load first. Each other part then loads separately, so one that fails does not affect the others. `app` passes in `renderProjects`,
 * because features do not import each other.
 */
export function CustomerProfile({ renderProjects }: { renderProjects(customerId: string): ReactNode }) {
  const { id = '' } = useParams();
  const customer = useQuery('GET /customer/:id', { params: { id } });
  const missing = (
    <Empty title="Customer not found" action={<Link to="/customers">All customers</Link>}>
      They may have deleted their account.
    </Empty>
  );
  return (
    <Loaded query={customer} missing={missing}>
      {(data) => <Profile key={id} customer={data} projects={renderProjects(data._id)} />}
    </Loaded>
  );
}

function Profile({ customer, projects }: { customer: Customer; projects: ReactNode }) {
  const account = useQuery('GET /customer/:id/account', { params: { id: customer._id } });
  // The account’s address may have changed since the latest order.
  const email = account.data?.email ?? customer.email;
  return (
    <>
      <h2>
        {customer.name}
        <DemoLabel email={customer.email} />
      </h2>
      <Totals customer={customer} />
      <Account account={account} customer={customer} />
      {projects}
      <CustomerPlans customerId={customer._id} />
      <CustomerOrders customerId={customer._id} />
      <CustomerMessages email={email} />
      <Newsletter email={email} />
      <CustomerNotes customerId={customer._id} />
    </>
  );
}

function Totals({
  customer: { orders, spent, refunded, firstOrderAt, lastOrderAt },
}: {
  customer: Customer;
}) {
  return (
    <Figures>
      <Figure label="Orders" value={formatNumber(orders)} />
      <Figure label="Spent" value={money(spent)} note="Prices of Paid orders, before partial refunds" />
      <Figure label="Refunded" value={money(refunded)} note="On all orders, also those refunded in full" />
      <Figure
        label="Last order"
        value={formatDate(lastOrderAt)}
        note={`Customer since ${formatDate(firstOrderAt)}`}
      />
    </Figures>
  );
}

function Account({ account, customer }: { account: Query<CustomerAccount>; customer: Customer }) {
  return (
    <section className="panel" aria-labelledby="customer-account">
      <h2 id="customer-account">Account</h2>
      <Loaded query={account} missing={<Empty title="Account not found">It was just deleted.</Empty>}>
        {({ email, emailVerified, role, registeredAt, lastSeenAt }) => (
          <Details
            items={[
              ['E-mail', <a href={`mailto:${email}`}>{email}</a>],
              ['E-mail on the latest order', email === customer.email ? undefined : customer.email],
              [
                'E-mail status',
                emailVerified ? (
                  <Status tone="good">Confirmed</Status>
                ) : (
                  <Status tone="waiting">Not confirmed</Status>
                ),
              ],
              ['Role', role === 'Admin' ? 'Admin' : undefined],
              ['Registered', <When at={registeredAt} />],
              ['Last seen', lastSeenAt ? <When at={lastSeenAt} time /> : 'Not recently'],
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

function Newsletter({ email }: { email: string }) {
  const subscribers = useQuery('GET /subscribers', { query: { email, limit: 1 } });
  const [subscriber] = subscribers.data ?? [];
  const statusWord = subscriber && subscriberStatusWords[subscriber.status];
  return (
    <section className="panel" aria-labelledby="customer-newsletter">
      <h2 id="customer-newsletter">Newsletter</h2>
      <Failure query={subscribers} />
      {subscribers.data && (
        <p>
          {subscriber && statusWord ? (
            <>
              <Status tone={statusWord.tone}>{statusWord.word}</Status>, on the list since{' '}
              <When at={subscriber.createdAt} />
            </>
          ) : (
            'Not subscribed.'
          )}
        </p>
      )}
    </section>
  );
}
