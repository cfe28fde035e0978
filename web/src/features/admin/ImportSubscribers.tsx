import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { importLimits, refusalReasons, type SubscriberImport } from '#libs/contracts';
import { TextAreaField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { answerFrom, callApi, type Problem, unreachable } from '../../lib/api.js';
import { useIdempotencyKeys } from '../../lib/form.js';
import { DataTable } from '../../workspace/DataTable.js';
import { formatNumber } from '../../workspace/formats.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { pathOf } from '../../workspace/path.js';
import { useQuery, useRefetch, useSave } from '../../workspace/query.js';

const pollMs = 700;
const sendTimeoutMs = 120_000;

/** After an import, shows the first hundred refused rows, and a link to a CSV file of all refused rows. */
export function ImportSubscribers() {
  const [firstReport, setFirstReport] = useState<SubscriberImport>();
  const keyFor = useIdempotencyKeys();
  const { save, saving, problem } = useSave(async (file: File, consent: string) => {
    setFirstReport(undefined);
    const { name, size, lastModified } = file;
    const key = keyFor({ name, size, lastModified, consent });
    const answer = await startImport(file, consent, key);
    if (answer.report) keyFor.renew();
    setFirstReport(answer.report);
    return answer.problem;
  });
  const report = useReport(firstReport);
  const isRunning = report?.state === 'running';

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const file = form.querySelector<HTMLInputElement>('[type=file]')?.files?.[0];
    if (file && !isRunning) void save(file, String(new FormData(form).get('consent')));
  }

  return (
    <section className="panel" aria-labelledby="import-subscribers">
      <h2 id="import-subscribers">Import subscribers</h2>
      <p>
        A CSV file with a column &lsquo;email&rsquo;, up to 5 MB and {formatNumber(importLimits.rows)} rows.
        Only import people who asked for your newsletter. They’re subscribed right away. With each address, we
        store the consent that you describe below.
      </p>
      <form className="import-form" onSubmit={send}>
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
        <button className="button" type="submit" aria-disabled={saving || isRunning}>
          {saving ? 'Sending' : 'Import'}
        </button>
      </form>
      {report && <Report report={report} />}
    </section>
  );
}

function Report({ report }: { report: SubscriberImport }) {
  const { state, rows, done, added, refused, refusals, name } = report;
  const result = `${formatNumber(added)} added, ${formatNumber(refused)} refused`;
  const sentences = {
    running: `${formatNumber(done)} of ${formatNumber(rows)} rows`,
    finished: `${name} imported: ${result}.`,
    stopped: `The import stopped after ${formatNumber(done)} rows: ${result}. Import the file again. People already imported stay subscribed.`,
  };
  return (
    <div className="import-report">
      {state === 'running' && <progress aria-label="Rows imported" max={rows} value={done} />}
      <p role="status">{sentences[state]}</p>
      {refused > 0 && state !== 'running' && (
        <DataTable
          caption={refused > refusals.length ? 'First 100 refused rows' : 'Refused rows'}
          skeletonRows={refusals.length}
          tools={
            <ExportLink
              href={pathOf('GET /subscriber-imports/:id/refused', { params: { id: report._id } })}
              what="refused rows"
            />
          }
          rows={{
            data: refusals,
            loading: false,
            problem: undefined,
            retry: () => undefined,
          }}
          rowKey={({ line }) => String(line)}
          columns={[
            { key: 'line', head: 'Line', cell: ({ line }) => line },
            { key: 'text', head: 'Text', alwaysShown: true, cell: ({ text }) => text || '–' },
            { key: 'reason', head: 'Reason', cell: ({ reason }) => refusalReasons[reason] },
          ]}
          empty={null}
        />
      )}
    </div>
  );
}

/** When the import has ended and added somebody, the screen's data is read again. */
function useReport(firstReport: SubscriberImport | undefined): SubscriberImport | undefined {
  const refetch = useRefetch();
  const isFollowed = firstReport?.state === 'running';
  const request = isFollowed ? { params: { id: firstReport._id } } : null;
  const { data } = useQuery('GET /subscriber-imports/:id', request, {
    everyMs: pollMs,
    while: ({ state }) => state === 'running',
  });
  const report = isFollowed && data?._id === firstReport._id ? data : firstReport;
  const hasAdded = report !== undefined && report.state !== 'running' && report.added > 0;
  const refresh = useEffectEvent(() => void refetch());
  useEffect(() => {
    if (hasAdded) refresh();
  }, [hasAdded]);
  return report;
}

/** The file is the request's body. `callApi` sends only JSON, but calling it first renews an expired access token. */
async function startImport(
  file: File,
  consent: string,
  idempotencyKey: string,
): Promise<{ report?: SubscriberImport; problem?: Problem }> {
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
      headers: {
        accept: 'application/json',
        'content-type': 'text/csv',
        'idempotency-key': idempotencyKey,
      },
      body: file,
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    const content: unknown = await response.json().catch(() => undefined);
    const answer = answerFrom<'POST /subscribers/import'>(response.status, content);
    if (answer.ok) return { report: answer.value };
    const { problem } = answer;
    const [fault] = problem.fields;
    return { problem: fault ? { ...problem, sentence: `The ${fault.field} ${fault.message}.` } : problem };
  } catch {
    return { problem: unreachable };
  }
}
