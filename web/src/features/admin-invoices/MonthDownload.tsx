import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { FormProblem } from '../../components/FormProblem.js';
import { useDownload } from '../../workspace/download.js';
import { Failure } from '../../workspace/Failure.js';
import { counted, formatMonth } from '../../workspace/formats.js';
import { pathOf } from '../../workspace/path.js';
import { useQuery } from '../../workspace/query.js';
import { SelectField } from '../../workspace/SelectField.js';
import { lastDayOf, monthsBetween } from './months.js';

/** The API's limit for one file. */
const maxDocuments = 5_000;

export interface MonthDownloadProps {
  /** Documents are issued for payments since this time (ISO 8601). */
  issuesFrom: string;
  /** The time zone in which documents are dated. */
  timeZone: string;
}

export function MonthDownload(props: MonthDownloadProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className="button button--plain" type="button" onClick={() => setOpen(true)}>
        Download month
      </button>
      {isOpen && <MonthDialog {...props} close={() => setOpen(false)} />}
    </>
  );
}

function MonthDialog({ issuesFrom, timeZone, close }: MonthDownloadProps & { close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [months] = useState(() => monthsBetween(new Date(issuesFrom), new Date(), timeZone));
  const [month, setMonth] = useState(months[0]!);
  const { download, problem } = useDownload();
  const count = useQuery('GET /invoices', {
    query: { from: `${month}-01`, to: lastDayOf(month), limit: 1 },
  });
  useEffect(() => dialog.current?.showModal(), []);
  const { loading, total } = count;
  const canDownload = !loading && !count.problem && total !== undefined && total > 0 && total <= maxDocuments;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!canDownload) return;
    await download(pathOf('GET /invoices/archive', { query: { month } }));
  }
  return (
    <dialog className="dialog" ref={dialog} aria-labelledby={titleId} onClose={close}>
      <h2 id={titleId}>Download month</h2>
      <form className="form" method="get" onSubmit={(event) => void submit(event)}>
        <SelectField
          name="month"
          label="Month"
          hint="All invoices and credit notes of the month, as PDF files in a ZIP file."
          options={months.map((one) => [one, formatMonth(one)])}
          value={month}
          onChange={({ target }) => setMonth(target.value)}
        />
        {count.problem ? (
          <Failure query={count} />
        ) : (
          <p role="status">{loading ? 'Counting…' : total !== undefined && countText(total)}</p>
        )}
        <FormProblem problem={problem} />
        <p className="buttons">
          <button className="button button--quiet" type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          <button className="button" type="submit" disabled={!canDownload}>
            Download ZIP
          </button>
        </p>
      </form>
    </dialog>
  );
}

function countText(total: number): string {
  if (total === 0) return 'Nothing was issued in this month.';
  const text = counted(total, 'document');
  return total > maxDocuments
    ? `${text}: too many for one file. Export the list as CSV instead.`
    : `${text}.`;
}
