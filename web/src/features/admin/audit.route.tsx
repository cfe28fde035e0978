import { Link } from 'react-router-dom';
import type { AuditEntry } from '#libs/contracts';
import { useAddressParams } from '../../workspace/address-params.js';
import { FilterSelect } from '../../workspace/FilterSelect.js';
import { DataTable } from '../../workspace/DataTable.js';
import { DayField } from '../../workspace/DayField.js';
import { EmailAddress } from '../../workspace/EmailAddress.js';
import { Empty } from '../../workspace/Empty.js';
import { ExportLink } from '../../workspace/ExportLink.js';
import { startOfDay, endOfDay } from '../../workspace/days.js';
import { useListFilter } from '../../workspace/list-filter.js';
import { ListFilters } from '../../workspace/ListFilters.js';
import { NoMatches } from '../../workspace/NoMatches.js';
import { pathOf } from '../../workspace/path.js';
import { useQuery } from '../../workspace/query.js';
import { SearchField } from '../../workspace/SearchField.js';
import { When } from '../../workspace/When.js';
import { AdminScreen } from './AdminScreen.js';
import { auditSections, changeWords, differences, recordAddress, sectionLabel } from './audit.js';

const pageSize = 25;

export function Component() {
  return (
    <AdminScreen lead="Changes made by admins, newest first.">
      <Log />
    </AdminScreen>
  );
}

/** The filter and the position in the log are kept in the address. Changing the filter goes back to the newest entry. */
function useLogView() {
  const filter = useListFilter(['search', 'actor', 'section', 'from', 'to'], ['cursor']);
  const [params, changeParams] = useAddressParams();
  const cursor = params.get('cursor') || undefined;
  const goTo = (id: string | null) => changeParams({ cursor: id }, { replace: false });
  const { from, to, ...others } = filter.values;
  const query = { ...others, from: from && startOfDay(from), to: to && endOfDay(to) };
  return {
    ...filter,
    isNewest: !cursor,
    // One more row than is shown, to find out whether there are older entries.
    query: { ...query, cursor, limit: pageSize + 1 },
    exportPath: pathOf('GET /audit/export', { query }),
    showNewest: () => goTo(null),
    showOlder: (last: AuditEntry) => goTo(last._id),
  };
}

type LogView = ReturnType<typeof useLogView>;

function Log() {
  const view = useLogView();
  const found = useQuery('GET /audit', { query: view.query });
  const entries = { ...found, data: found.data?.slice(0, pageSize) };
  const last = entries.data?.at(-1);
  // While another part is being read, the data is still that of the part before.
  const hasOlder = !found.loading && (found.data?.length ?? 0) > pageSize;
  const isEmpty = view.isNewest && entries.data?.length === 0;
  return (
    <section className="panel" aria-label="Audit log">
      <Filters view={view} shown={entries.data ?? []} />
      <DataTable
        caption="Audit log"
        captionHidden
        skeletonRows={10}
        rememberAs="audit"
        tools={<ExportLink href={view.exportPath} what="the audit log" />}
        rows={entries}
        rowKey={({ _id }) => _id}
        failure="Error fetching the audit log"
        columns={[
          { key: 'at', head: 'When', cell: ({ at }) => <When at={at} time /> },
          {
            key: 'actor',
            head: 'Who',
            cell: ({ actorEmail }) => <EmailAddress email={actorEmail} />,
          },
          {
            key: 'change',
            head: 'What',
            alwaysShown: true,
            cell: ({ change, section }) => `${changeWords[change]}: ${sectionLabel(section)}`,
          },
          { key: 'record', head: 'Record', cell: (entry) => <RecordName entry={entry} /> },
          { key: 'details', head: 'Before and after', cell: (entry) => <Differences entry={entry} /> },
        ]}
        empty={
          view.active || !view.isNewest ? (
            <NoMatches what="entries" showAll={view.clear} />
          ) : (
            <Empty title="No changes yet">
              Changes made by admins appear here, with the values before and after.
            </Empty>
          )
        }
      />
      {!isEmpty && (
        <nav className="buttons" aria-label="Pages of the audit log">
          <button
            className="button button--quiet"
            type="button"
            aria-disabled={view.isNewest}
            onClick={() => view.isNewest || view.showNewest()}
          >
            Newest
          </button>
          <button
            className="button button--quiet"
            type="button"
            aria-disabled={!hasOlder}
            onClick={() => hasOlder && last && view.showOlder(last)}
          >
            Older
          </button>
        </nav>
      )}
    </section>
  );
}

/** 'Who' offers the admins, everybody who made one of the changes that are shown, and the person who is chosen now. */
function Filters({ view, shown }: { view: LogView; shown: readonly AuditEntry[] }) {
  const admins = useQuery('GET /users').data ?? [];
  const emails = new Set([
    ...admins.map(({ userEmail }) => userEmail),
    ...shown.map(({ actorEmail }) => actorEmail),
    view.field('actor').value,
  ]);
  return (
    <ListFilters label="Audit log" active={view.active} clear={view.clear}>
      <SearchField placeholder="Name or text" {...view.field('search')} />
      <FilterSelect
        label="Who"
        options={[...emails].filter(Boolean).map((email) => [email, email])}
        {...view.field('actor')}
      />
      <FilterSelect
        label="Section"
        options={auditSections.map(({ section, label }) => [section, label])}
        {...view.field('section')}
      />
      <div className="day-range">
        <DayField label="From" {...view.field('from')} />
        <DayField label="To" {...view.field('to')} />
      </div>
    </ListFilters>
  );
}

function RecordName({ entry }: { entry: AuditEntry }) {
  const to = recordAddress(entry);
  return to ? <Link to={to}>{entry.name}</Link> : entry.name;
}

function Differences({ entry }: { entry: AuditEntry }) {
  const changed = differences(entry);
  return (
    <details className="log-details">
      <summary>
        {changed.length === 1 ? changed[0]?.label : `${changed.length} fields`}
        <span className="visually-hidden"> of {entry.name}</span>
      </summary>
      <dl>
        {changed.map(({ label, before, after }) => (
          <div key={label}>
            <dt>{label}</dt>
            {entry.before && (
              <dd>
                <span className="visually-hidden">Before: </span>
                <del>{before ?? '(empty)'}</del>
              </dd>
            )}
            {entry.after && (
              <dd>
                <span className="visually-hidden">After: </span>
                {after ?? '(empty)'}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </details>
  );
}
