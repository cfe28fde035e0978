import { useState } from 'react';
import type { Section } from '#libs/content-model';
import type { HistoryEntry } from '#libs/contracts';
import { ConfirmDialog } from '../../../workspace/ConfirmDialog.js';
import type { StoredRecord, Values } from '../../../workspace/content-api.js';
import { History } from './History.js';
import { type RecordForm, valuesOf } from './record-form.js';
import { TextChanges } from './TextChanges.js';

interface RecordHistoryProps {
  section: Section;
  form: RecordForm;
  /** The record as it is stored now. */
  record: StoredRecord;
}

/** Earlier versions of the record that a form edits, and a dialog that restores one. */
export function RecordHistory({ section, form, record }: RecordHistoryProps) {
  /** The earlier version that the dialog shows. */
  const [restoring, setRestoring] = useState<HistoryEntry>();
  return (
    <>
      <History section={section} record={record} restore={setRestoring} />
      {restoring && (
        <RestoreDialog
          section={section}
          form={form}
          entry={restoring}
          record={record}
          close={() => setRestoring(undefined)}
        />
      )}
    </>
  );
}

interface RestoreDialogProps extends RecordHistoryProps {
  entry: HistoryEntry;
  close(): void;
}

/** Shows how the record will change before an earlier version replaces it. */
function RestoreDialog({ section, form, entry, record, close }: RestoreDialogProps) {
  const values = valuesOf(section, entry.body as Values);
  return (
    <ConfirmDialog
      title={`Restore version ${entry.version}?`}
      action="Restore version"
      close={close}
      confirm={async () => {
        await form.save(values);
        return undefined;
      }}
    >
      <p>
        The {section.labels.one} will change like this. Today’s version stays in the history.
        {form.unsaved && ' What you typed and didn’t save will be lost.'}
      </p>
      <TextChanges section={section} from={valuesOf(section, record)} to={values} />
    </ConfirmDialog>
  );
}
