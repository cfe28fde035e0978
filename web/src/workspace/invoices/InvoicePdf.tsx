import { useState } from 'react';
import type { Invoice } from '#libs/contracts';
import type { Problem } from '../../lib/api.js';
import { fetchFile, saveFile } from '../download.js';
import { pathOf } from '../path.js';
import { Status } from '../Status.js';

export function InvoicePdf({ invoice: { _id, number, file } }: { invoice: Invoice }) {
  const [problem, setProblem] = useState<Problem>();
  const [isDownloading, setDownloading] = useState(false);
  const operation = 'GET /invoice/:id/pdf';
  const request = { params: { id: _id } };
  async function download(): Promise<void> {
    if (isDownloading) return;
    setDownloading(true);
    const answer = await fetchFile(operation, request);
    setDownloading(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) saveFile(answer.value, `${number.replaceAll('/', '-')}.pdf`);
  }
  if (file === 'rendering') return <Status tone="waiting">Preparing PDF</Status>;
  return (
    <span className="invoice-pdf">
      <a
        className="unbroken"
        href={pathOf(operation, request)}
        download
        onClick={(event) => {
          event.preventDefault();
          void download();
        }}
      >
        {isDownloading ? 'Downloading PDF' : 'Download PDF'}
        <span className="visually-hidden"> of {number}</span>
      </a>
      {problem && <span role="alert">{problem.sentence}</span>}
    </span>
  );
}

/** A list of invoices is read again until the PDFs of all its invoices are ready, which takes a few seconds. */
export const pdfPolling = {
  everyMs: 2_000,
  while: (invoices: readonly Invoice[]) => invoices.some(({ file }) => file === 'rendering'),
};
