import './projects.css';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { ProjectReport } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { Waiting } from '../../components/Waiting.js';
import { callApi, type Problem } from '../../lib/api.js';
import { useSite } from '../../lib/site.js';
import { useTabTitle } from '../../lib/tab-title.js';
import { Failure } from '../../workspace/Failure.js';
import { formatMonth } from '../../workspace/formats.js';
import { MonthChoice, ReportView } from './ReportView.js';

/** For somebody without an account. The link's token is in the fragment, which browsers do not send. */
export function Component() {
  const { hash } = useLocation();
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return <SharedReport key={token} token={token} />;
}

function SharedReport({ token }: { token: string }) {
  const [report, setReport] = useState<ProjectReport>();
  const [problem, setProblem] = useState<Problem>();
  const [request, setRequest] = useState<{ month?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    void callApi('POST /shared-report/read', { body: { token, ...request } }).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setReport(answer.value);
      setProblem(answer.ok ? undefined : answer.problem);
    });
    return () => {
      isCurrent = false;
    };
  }, [token, request]);
  const siteName = siteNameOf(useSite());
  useTabTitle(report && `${report.title}, ${formatMonth(report.month)}`);

  // A truncated link is treated like an expired one.
  if (problem?.code === 'LINK_EXPIRED' || problem?.status === 400) return <NoReport />;
  if (problem)
    return (
      <section className="screen wrap">
        <h1>Report</h1>
        <Failure query={{ problem, retry: () => setRequest({ ...request }) }} />
      </section>
    );
  if (!report) return <Waiting />;
  return (
    <div className="shared-report wrap">
      <div className="shared-report__head">
        <h1>{report.title}</h1>
        <button className="button button--quiet no-print" type="button" onClick={() => window.print()}>
          Print
        </button>
      </div>
      <MonthChoice report={report} choose={(month) => setRequest({ month })} />
      <ReportView report={report} siteName={siteName} />
    </div>
  );
}

function NoReport() {
  return (
    <section className="screen wrap">
      <h1>This link no longer works</h1>
      <p className="lead">
        It’s incomplete, or it has expired or was revoked. Ask the person who sent it to you for a new one.
      </p>
      <p>
        <Link className="button" to="/">
          Go to the home page
        </Link>
      </p>
    </section>
  );
}
