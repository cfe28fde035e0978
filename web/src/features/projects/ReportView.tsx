import type { ProjectReport } from '#libs/contracts';
import { counted, formatDay, formatMonth, formatNumber } from '../../workspace/formats.js';

const stateLabels: Record<Exclude<ProjectReport['delivered'][number]['state'], 'delivered'>, string> = {
  accepted: 'Accepted',
  changes_requested: 'Changes requested',
};

/** Renders nothing if there is only one month. */
export function MonthChoice({ report, choose }: { report: ProjectReport; choose(month: string): void }) {
  const months = report.months.includes(report.month) ? report.months : [report.month, ...report.months];
  if (months.length < 2) return null;
  return (
    <div className="field report-month no-print">
      <label htmlFor="report-month">Month</label>
      <select
        className="field__input"
        id="report-month"
        value={report.month}
        onChange={({ target }) => choose(target.value)}
      >
        {months.map((month) => (
          <option key={month} value={month}>
            {formatMonth(month)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function ReportView({ report, siteName }: { report: ProjectReport; siteName: string | undefined }) {
  const acceptedCount = report.delivered.filter(({ state }) => state === 'accepted').length;
  return (
    <article className="report" aria-labelledby="report-heading">
      <header className="report__head">
        <h2 id="report-heading">{formatMonth(report.month)}</h2>
        <p>
          {report.title}, #{report.number}
        </p>
        <p>
          For {report.customerName}
          {siteName && `, by ${siteName}`}
        </p>
      </header>
      {report.delivered.length === 0 ? (
        <p>Nothing was delivered in this month.</p>
      ) : (
        <>
          <p className="report__sum">
            {counted(report.delivered.length, 'delivery', 'deliveries')}, {formatNumber(acceptedCount)}{' '}
            accepted.
          </p>
          <ol className="report__list">
            {report.delivered.map(({ text, deliveredAt, acceptedAt, state, files, links }) => (
              <li key={`${deliveredAt} ${text}`} className="report__item">
                <p className="report__text" dir="auto">
                  {text}
                </p>
                <p className="quiet-text">
                  Delivered <Day at={deliveredAt} />
                  {acceptedAt ? (
                    <>
                      , accepted <Day at={acceptedAt} />
                    </>
                  ) : (
                    state !== 'delivered' && `. ${stateLabels[state]}`
                  )}
                </p>
                {files.length > 0 && <p className="quiet-text">Files: {files.join(', ')}</p>}
                {links.length > 0 && (
                  <ul className="report__links">
                    {links.map((link) => (
                      <li key={link}>
                        <a href={link} rel="noopener noreferrer nofollow">
                          {link}
                        </a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </article>
  );
}

/** In UTC, like the months of reports. */
const Day = ({ at }: { at: string }) => <time dateTime={at}>{formatDay(at.slice(0, 10))}</time>;
