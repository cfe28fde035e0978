import { ConflictChoice, type ConflictSide } from '../../../workspace/ConflictChoice.js';
import type { TemplateForm } from './template-form.js';
import { templateOf, type TemplateValues, valuesOf } from './template-values.js';

const allParts: readonly { name: keyof TemplateValues; label: string }[] = [
  { name: 'introduction', label: 'Introduction' },
  { name: 'questions', label: 'Questions' },
  { name: 'checklist', label: 'Checklist' },
  { name: 'deliveryDays', label: 'Delivery time' },
  { name: 'welcome', label: 'Welcome message' },
];

/** Two people changed one template: asks which version of each part to keep. */
export function TemplateConflict({
  conflict,
  saving,
}: {
  conflict: NonNullable<TemplateForm['conflict']>;
  saving: boolean;
}) {
  const { mine, before, current } = conflict;
  const theirs = valuesOf(current);
  const parts = allParts
    .filter(({ name }) => stored(mine, name) !== stored(theirs, name))
    .map(({ name, label }) => ({
      ...{ name, label, yours: textOf(mine, name), theirs: textOf(theirs, name) },
      isTheirs: stored(mine, name) === stored(before, name),
    }));
  const chosen = (choice: Readonly<Partial<Record<keyof TemplateValues, ConflictSide>>>): TemplateValues =>
    Object.assign(
      { ...theirs },
      ...parts.map(({ name }) => (choice[name] === 'yours' ? { [name]: mine[name] } : {})),
    );
  return (
    <ConflictChoice
      parts={parts}
      partName="part"
      savedAt={current.updatedAt}
      saving={saving}
      resolve={(choice) => void conflict.resolve(chosen(choice))}
      edit={(choice) => conflict.edit(chosen(choice))}
    />
  );
}

const stored = (values: TemplateValues, name: keyof TemplateValues) =>
  JSON.stringify(templateOf(values)[name]);

function textOf(values: TemplateValues, name: keyof TemplateValues): string {
  switch (name) {
    case 'questions':
      return values.questions.map(({ label }, index) => `${index + 1}. ${label}`).join('\n');
    case 'checklist':
      return values.checklist.map(({ text }) => `– ${text}`).join('\n');
    case 'deliveryDays':
      return values.deliveryDays && `${values.deliveryDays} days`;
    case 'introduction':
    case 'welcome':
      return values[name];
  }
}
