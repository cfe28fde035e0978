import { Link } from 'react-router-dom';
import type { PlanSubscription } from '#libs/contracts';
import { money } from '../../../lib/money.js';
import type { Column } from '../../../workspace/DataTable.js';
import { DemoLabel } from '../../../workspace/DemoLabel.js';
import { EmailAddress } from '../../../workspace/EmailAddress.js';
import { planStates } from '../../../workspace/monthly-plans/words.js';
import { StatusWord } from '../../../workspace/orders/StatusWord.js';
import { Status } from '../../../workspace/Status.js';
import { When } from '../../../workspace/When.js';
import { customerNameOf } from '../customer-name.js';

export const planColumns = {
  customer: {
    key: 'customer',
    head: 'Customer',
    alwaysShown: true,
    compact: 'title',
    cell: (plan) => (
      <>
        {customerNameOf(plan)}
        <DemoLabel email={plan.customerEmail} />
      </>
    ),
  },
  email: {
    key: 'email',
    head: 'E-mail',
    cell: ({ customerEmail }) => <EmailAddress email={customerEmail} />,
  },
  package: {
    key: 'package',
    head: 'Package',
    compact: 'line',
    cell: ({ packageName }) => <span className="whole-words">{packageName}</span>,
  },
  price: {
    key: 'price',
    head: 'Price',
    align: 'end',
    sortable: true,
    compact: 'end',
    cell: ({ price }) => <span className="unbroken">{money(price)}</span>,
  },
  state: {
    key: 'state',
    head: 'Status',
    compact: 'line',
    cell: ({ state, problem }) => (
      <span className="status-cell">
        <StatusWord status={planStates[state]} />
        {problem && <Status tone="fault">Needs attention</Status>}
      </span>
    ),
  },
  next: {
    key: 'nextChargeAt',
    head: 'Next charge',
    sortable: true,
    compact: 'line',
    cell: ({ nextChargeAt }) =>
      nextChargeAt ? (
        <span className="unbroken">
          <When at={nextChargeAt} />
        </span>
      ) : (
        <span className="no-next-charge">No next charge</span>
      ),
  },
  started: {
    key: 'startedAt',
    head: 'Started',
    sortable: true,
    cell: ({ startedAt }) => (
      <span className="unbroken">
        <When at={startedAt} />
      </span>
    ),
  },
  open: {
    key: 'open',
    head: 'Plan',
    align: 'end',
    alwaysShown: true,
    compact: 'open',
    cell: (plan) => (
      <Link className="unbroken data-table__open" to={`/admin/monthly-plan/${plan._id}`}>
        View plan
        <span className="visually-hidden">
          : {customerNameOf(plan)}, {plan.packageName}
        </span>
      </Link>
    ),
  },
} satisfies Record<string, Column<PlanSubscription>>;
