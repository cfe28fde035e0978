import { type FormEvent, useEffect, useState } from 'react';
import { importLimits, refusalReasons, type SubscriberImport } from '#libs/contracts';
import { TextAreaField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { type AnswerOf, callApi, type Problem, problemOf, unreachable } from '../../lib/api.js';
import { DataTable } from '../../workspace/DataTable.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { pathOf } from '../../workspace/path.js';

/** So often it is asked how far an import is, in milliseconds. */
const pollMs = 700;
const sendTimeoutMs = 120_000;

/** Takes in a file of addresses, and reports on every row that was not taken. */
export function ImportSubscribers({ finished }: { finished(): void }) {
  const [report, setReport] = useState<SubscriberImport>();
  const [problem, setProblem] = useState<Problem>();
  const [sending, setSending] = useState(false);
  const isRunning = report?.state === 'running';
  useProgress(report, (now) => {
    setReport(now);
    if (now.state === 'finished' && now.added > 0) finished();
  });

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (sending || isRunning) return;
    const data = new FormData(event.currentTarget);
    const file = data.get('file') as File;
    setSending(true);
    setReport(undefined);
    const answer = await begin(file, String(data.get('consent')));
    setSending(false);
    setProblem(answer.problem);
    setReport(answer.report);
  }

  return (
    <section className="panel" aria-labelledby="import-subscribers">
      <h2 id="import-subscribers">Import subscribers</h2>
      <p>
        A CSV file with a column &lsquo;email&rsquo;, up to 5 MB and{' '}
        {importLimits.rows.toLocaleString('en-US')} rows. Only import people who asked for your newsletter.
        They’re subscribed right away, and we store the consent you describe with each address.
      </p>
      <form className="import-form" onSubmit={(event) => void send(event)}>
        <div className="field">
          <label htmlFor="import-file">CSV file</label>
          <input
            className="field__input"
            id="import-file"
            type="file"
            name="file"
            accept=".csv,text/csv"
            required
          />
        </div>
        <TextAreaField
          name="consent"
          label="How and when did they consent?"
          rows={3}
          maxLength={2000}
          required
        />
        <FormProblem problem={problem} />
        <button className="button" type="submit" aria-disabled={sending || isRunning}>
          {sending ? 'Sending' : 'Import'}
        </button>
      </form>
      {report && <Report report={report} />}
    </section>
  );
}

function Report({ report }: { report: SubscriberImport }) {
  const { state, rows, done, added, refused, refusals, name } = report;
  const counted = `${added.toLocaleString('en-US')} added, ${refused.toLocaleString('en-US')} refused`;
  const sentences = {
    running: `${done.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')} rows`,
    finished: `${name} imported: ${counted}.`,
    stopped: `The import stopped after ${done.toLocaleString('en-US')} rows: ${counted}. Import the file again. People already imported stay subscribed.`,
  };
  return (
    <div className="import-report">
      {state === 'running' && <progress aria-label="Rows imported" max={rows} value={done} />}
      <p role="status">{sentences[state]}</p>
      {refused > 0 && state !== 'running' && (
        <DataTable
          caption={refused > refusals.length ? 'First 100 refused rows' : 'Refused rows'}
          size={refusals.length}
          tools={
            <ExportLink
              href={pathOf('GET /subscriber-imports/:id/refused', { params: { id: report._id } })}
              what="refused rows"
            />
          }
          rows={{ data: refusals, total: refusals.length, loading: false, problem: undefined, ...still }}
          rowKey={({ line }) => String(line)}
          columns={[
            { key: 'line', head: 'Line', cell: ({ line }) => line },
            { key: 'text', head: 'Text', always: true, cell: ({ text }) => text || '–' },
            { key: 'reason', head: 'Reason', cell: ({ reason }) => refusalReasons[reason] },
          ]}
          empty={<Empty title="No refused rows">All rows were imported.</Empty>}
        />
      )}
    </div>
  );
}

/** What is shown here is at hand: there is nothing to read again. */
const still = { retry: () => undefined, put: () => undefined };

/** Asks how far it is until it has ended. */
function useProgress(report: SubscriberImport | undefined, tell: (now: SubscriberImport) => void): void {
  useEffect(() => {
    if (report?.state !== 'running') return;
    let left = false;
    const timer = setTimeout(() => {
      void callApi('GET /subscriber-imports/:id', { params: { id: report._id } }).then((answer) => {
        // Without an answer it is asked again: the import does not depend on it.
        if (!left) tell(answer.ok ? answer.value : { ...report });
      });
    }, pollMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  });
}

/** Sends the file as it is; an access token that ran out is renewed first. */
async function begin(file: File, consent: string): Promise<{ report?: SubscriberImport; problem?: Problem }> {
  if (file.size > importLimits.bytes)
    return {
      problem: {
        status: 413,
        sentence: 'The file is larger than 5 MB. Split it into smaller files.',
        fields: [],
      },
    };
  const session = await callApi('GET /auth/me');
  if (!session.ok) return { problem: session.problem };
  try {
    const query = { name: file.name.slice(0, 200), consent };
    const response = await fetch(pathOf('POST /subscribers/import', { query }), {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'text/csv' },
      body: file,
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    const content: unknown = await response.json().catch(() => undefined);
    if (response.ok) return { report: content as AnswerOf<'POST /subscribers/import'> };
    const problem = problemOf(response.status, content);
    const [field] = problem.fields;
    return { problem: field ? { ...problem, sentence: `The ${field.field} ${field.message}.` } : problem };
  } catch {
    return { problem: unreachable };
  }
}
