import { useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { packageNames } from '#libs/content-model';
import { useWholeSite } from '../../lib/site.js';
import { Details } from '../../workspace/Details.js';
import { Empty } from '../../workspace/Empty.js';
import { focusContentIfFocusIsLost } from '../../workspace/focus-content.js';
import { Loaded } from '../../workspace/Loaded.js';
import { type StoredRecord, useRecords } from '../../workspace/content-api.js';
import { AdminScreen } from './AdminScreen.js';
import { RecordEditor } from './content/RecordEditor.js';
import { RecordList } from './content/RecordList.js';
import { useRecordForm } from './content/record-form.js';
import type { PreviewOf } from './content-edit.js';
import { NoSuchScreen } from './NoSuchScreen.js';
import { PublicPageLink } from './content/PublicPageLink.js';
import {
  findContentScreen,
  editAddressOf,
  onePerFieldOf,
  type ScreenPart,
  withFreeOptions,
} from './content-screens.js';

export function ContentList({ previewOf }: { previewOf: PreviewOf }) {
  const { pathname } = useLocation();
  const found = findContentScreen(pathname);
  if (!found) return <NoSuchScreen />;
  const { screen } = found;
  return (
    <AdminScreen
      title={screen.title}
      tabTitle={screen.label}
      actions={screen.parts[0] && <PublicPageLink section={screen.parts[0].section} />}
    >
      {screen.parts.some(({ section }) => section.name === 'pricingPackage') && <MissingPackages />}
      {screen.parts.map((part) => (
        <SectionPart key={part.section.name} part={part} previewOf={previewOf} />
      ))}
    </AdminScreen>
  );
}

/** The site shows only packages named in `packageNames`. */
function MissingPackages() {
  const site = useWholeSite();
  const missing = packageNames.filter(
    (name) => site && !site.pricingPackage?.some(({ packageName }) => packageName === name),
  );
  if (missing.length === 0) return null;
  return (
    <p className="attention" role="note">
      The pricing page shows the packages named exactly Basic, Premium and Standard. Missing:{' '}
      {missing.join(', ')}.
    </p>
  );
}

interface PartProps {
  part: ScreenPart;
  previewOf: PreviewOf;
}

function SectionPart({ part, previewOf }: PartProps) {
  const query = useRecords(part.section);
  return (
    <Loaded query={query}>
      {(records) => {
        const props = { part, previewOf, records };
        return part.section.kind === 'singleton' ? <Singleton {...props} /> : <Collection {...props} />;
      }}
    </Loaded>
  );
}

interface RecordsProps extends PartProps {
  records: StoredRecord[];
}

/** Once the record exists, shows its values and a link to its edit screen instead of the form. */
function Singleton({ records: [record], ...props }: RecordsProps) {
  if (!record) return <AddForm {...props} />;
  const { section, editTitle } = props.part;
  return (
    <section className="panel" aria-label={editTitle}>
      <div className="buttons">
        <Link className="button" to={editAddressOf(props.part, record._id)}>
          {editTitle}
        </Link>
      </div>
      <Details items={Object.entries(section.fields).map(([name, { label }]) => [label, record[name]])} />
    </section>
  );
}

function Collection({ records, ...props }: RecordsProps) {
  const { part } = props;
  const { section, listHeading, addHeading } = part;
  const isFull = section.kind === 'collection' && records.length >= section.limit;
  // If true, each option (such as a page) has at most one record. Admin screens neither move nor delete these records.
  const hasOnePerField = onePerFieldOf(section) !== undefined;
  const headingId = `${section.name}-heading`;
  return (
    <div className="collection">
      <section className="panel" aria-labelledby={headingId}>
        <h2 id={headingId}>{listHeading}</h2>
        {records.length > 0 ? (
          <RecordList part={part} records={records} movable={!hasOnePerField} />
        ) : (
          <Empty title={`No ${section.labels.many} yet`}>
            Use the form “{addHeading}” to add the first one.
          </Empty>
        )}
      </section>
      {isFull && !hasOnePerField && (
        <p className="collection__full">
          You’ve reached the limit of {records.length} {section.labels.many}. Delete one to add another.
        </p>
      )}
      {!isFull && <AddForm {...props} part={{ ...part, section: withFreeOptions(section, records) }} />}
    </div>
  );
}

/** Once something is typed, a preview shows the new record, if a page shows the section. */
function AddForm({ part, previewOf }: PartProps) {
  const { section, addHeading } = part;
  const form = useRecordForm({ section });
  // The button that added the last possible record disappears with the form.
  useEffect(() => focusContentIfFocusIsLost, []);
  return (
    <div className="editor">
      <section className="panel" aria-labelledby={`${section.name}-add`}>
        <h2 id={`${section.name}-add`}>{addHeading}</h2>
        <RecordEditor section={section} form={form} actionLabel={addHeading} />
      </section>
      {form.unsaved && previewOf(section.name, { _id: 'new', ...form.values })}
    </div>
  );
}
