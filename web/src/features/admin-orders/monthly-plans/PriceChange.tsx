import '../admin-orders.css';
import { useId, useState } from 'react';
import { sections } from '#libs/content-model';
import { paymentProvider, type PriceChangePreview } from '#libs/contracts';
import { callApi } from '../../../lib/api.js';
import { useIdempotencyKeys } from '../../../lib/form.js';
import { money } from '../../../lib/money.js';
import { showToast } from '../../../lib/toasts.js';
import { useAddressParams } from '../../../workspace/address-params.js';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import { useRecords } from '../../../workspace/content-api.js';
import { type Column, DataTable } from '../../../workspace/DataTable.js';
import { Empty } from '../../../workspace/Empty.js';
import { formatNumber, counted } from '../../../workspace/formats.js';
import { type ChangeResult, useQuery } from '../../../workspace/query.js';
import { Failure } from '../../../workspace/Failure.js';
import { When } from '../../../workspace/When.js';

type PriceGroup = PriceChangePreview['groups'][number];

const columns: readonly Column<PriceGroup>[] = [
  { key: 'price', head: 'Current price', compact: 'title', cell: ({ price }) => `${money(price)} a month` },
  {
    key: 'customers',
    head: 'Customers',
    align: 'end',
    compact: 'end',
    cell: ({ customers }) => formatNumber(customers),
  },
  {
    key: 'from',
    head: 'First charge at the new price',
    compact: 'line',
    cell: ({ firstFrom, lastFrom }) =>
      firstFrom === lastFrom ? (
        <When at={firstFrom} />
      ) : (
        <>
          <When at={firstFrom} /> to <When at={lastFrom} />
        </>
      ),
  },
];

export function PriceChange() {
  const id = useId();
  const [params, change] = useAddressParams();
  const packages = useRecords(sections.pricingPackage);
  const chosen = params.get('package') ?? '';
  const preview = useQuery(
    'GET /plan-subscriptions/price-change',
    chosen ? { query: { packageName: chosen } } : null,
  );
  if (packages.problem) return <Failure query={packages} />;
  return (
    <section className="panel" aria-label="Announce the new price">
      <div className="field choice-field">
        <label htmlFor={id}>Package</label>
        <select
          className="field__input"
          id={id}
          value={packages.data ? chosen : ''}
          onChange={({ target }) => change({ package: target.value })}
        >
          <option value="">Choose a package</option>
          {packages.data?.map(({ _id, packageName }) => (
            <option key={_id}>{packageName}</option>
          ))}
        </select>
      </div>
      {preview.problem?.status === 404 ? (
        <Empty title="Package not found">It may have been renamed or deleted. Choose another package.</Empty>
      ) : (
        <Failure query={preview} />
      )}
      <div className="panel" aria-busy={preview.loading} aria-live="polite">
        {preview.data && preview.data.packageName === chosen && <Groups preview={preview.data} />}
      </div>
    </section>
  );
}

function Groups({ preview }: { preview: PriceChangePreview }) {
  const [asking, setAsking] = useState(false);
  const { packageName, price, customers, groups } = preview;
  if (groups.length === 0) {
    return (
      <Empty title={`No customers to ask about ${money(price)} a month`}>
        Each customer of {packageName} pays this price already, has been asked to approve it, or can’t be
        asked now. To change the price for new customers, edit the package.
      </Empty>
    );
  }
  const who = counted(customers, 'customer');
  const groupsOverlap = groups.reduce((sum, group) => sum + group.customers, 0) > customers;
  return (
    <>
      <p>
        {packageName} costs <strong>{money(price)}</strong> a month for new customers. {who} at an earlier
        price can be asked to approve the new price:
      </p>
      <DataTable
        caption={`Customers of ${packageName} at an earlier price`}
        captionHidden
        skeletonRows={1}
        rows={{ data: groups, loading: false, problem: undefined, retry: () => {} }}
        rowKey={(group) => group.price}
        columns={columns}
        empty={null}
      />
      {groupsOverlap && <p>Customers with plans at several prices are in several rows.</p>}
      <p>
        If you go ahead, every customer in this table gets an e-mail for each of their plans now, at least 30
        days before the first charge at the new price. Each of them has to approve it at{' '}
        {paymentProvider.label}. Customers who don’t approve it keep their current price.
      </p>
      <p className="buttons">
        <button className="button" type="button" onClick={() => setAsking(true)}>
          Announce the new price
        </button>
      </p>
      {asking && <ConfirmAnnouncement preview={preview} close={() => setAsking(false)} />}
    </>
  );
}

interface ConfirmAnnouncementProps {
  preview: PriceChangePreview;
  close(): void;
}

function ConfirmAnnouncement({
  preview: { packageName, price, customers },
  close,
}: ConfirmAnnouncementProps) {
  const keyFor = useIdempotencyKeys();
  const whom = counted(customers, 'customer');
  async function announce(): Promise<ChangeResult> {
    const body = { packageName, packagePrice: price };
    const answer = await callApi('POST /plan-subscriptions/price-change', {
      body,
      idempotencyKey: keyFor(body),
    });
    if (!answer.ok) return answer.problem;
    const { announced, remaining } = answer.value;
    // The remaining customers need another request: the screen still shows their number and the button.
    const rest = remaining > 0 ? `, with ${counted(remaining, 'customer')} still to go` : '';
    return () => showToast(`New price announced to ${counted(announced, 'customer')}${rest}`);
  }
  return (
    <ConfirmDialog
      title={`Announce ${money(price)} a month to ${whom}?`}
      actionLabel={`E-mail ${whom}`}
      confirm={announce}
      close={close}
    >
      <p>
        The e-mails are sent now and can’t be recalled. Nobody is charged the new price without approving it.
      </p>
    </ConfirmDialog>
  );
}
