import { useState } from 'react';
import type { Invoice } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';
import { fetchFile, saveFile } from '../download.js';
import { pathOf } from '../path.js';
import { Status } from '../Status.js';

/** A link that downloads the PDF of an invoice or a credit note; until that is ready, a note. */
export function InvoicePdf({ invoice: { _id, number, file } }: { invoice: Invoice }) {
  const [problem, setProblem] = useState<Problem>();
  const [isReading, setReading] = useState(false);
  const href = pathOf('GET /invoice/:id/pdf', { params: { id: _id } });
  async function download(): Promise<void> {
    if (isReading) return;
    setReading(true);
    const answer = await fetchFile(href);
    setReading(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) saveFile(answer.value, `${number.replaceAll('/', '-')}.pdf`);
  }
  if (file === 'rendering') return <Status tone="waiting">Preparing PDF</Status>;
  return (
    <span className="invoice-pdf">
      <a
        className="unbroken"
        href={href}
        download
        onClick={(event) => {
          event.preventDefault();
          void download();
        }}
      >
        {isReading ? 'Downloading' : 'Download PDF'}
        <span className="visually-hidden"> of {number}</span>
      </a>
      {problem && <span role="alert">{problem.sentence}</span>}
    </span>
  );
}

/** Reads again while a PDF is not ready yet, which takes seconds. */
export const whilePreparingPdfs = {
  everyMs: 2_000,
  while: (invoices: readonly Invoice[]) => invoices.some(({ file }) => file === 'rendering'),
};
