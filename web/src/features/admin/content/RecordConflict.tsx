import type { Section } from '#libs/content-model';
import { ConflictChoice, type ConflictSide } from '../../../workspace/ConflictChoice.js';
import type { Values } from '../../../workspace/content-api.js';
import { type RecordForm, valuesOf } from './record-form.js';

interface RecordConflictProps {
  section: Section;
  conflict: NonNullable<RecordForm['conflict']>;
  saving: boolean;
}

export function RecordConflict({ section, conflict, saving }: RecordConflictProps) {
  const { mine, before, current } = conflict;
  const theirs = valuesOf(section, current);
  const names = Object.keys(section.fields);
  const parts = names
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => ({
      name,
      label: section.fields[name]?.label ?? name,
      yours: mine[name] ?? '',
      theirs: theirs[name] ?? '',
      onlyTheirsChanged: mine[name] === before[name],
    }));
  const chosenValues = (choice: Readonly<Partial<Record<string, ConflictSide>>>): Values =>
    Object.fromEntries(
      names.map((name) => [name, (choice[name] === 'yours' ? mine[name] : theirs[name]) ?? '']),
    );
  return (
    <ConflictChoice
      key={current.version}
      parts={parts}
      partName="field"
      savedAt={current.updatedAt}
      saving={saving}
      resolve={(choice) => void conflict.resolve(chosenValues(choice))}
      edit={(choice) => conflict.edit(chosenValues(choice))}
    />
  );
}
