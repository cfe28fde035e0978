import type { BriefQuestion } from '#libs/contracts';
import { ConflictChoice, type ConflictSide } from '../../../workspace/ConflictChoice.js';
import { counted } from '../../../workspace/formats.js';
import type { TemplateForm } from './template-form.js';
import { isSamePart, templateOf, type TemplateValues, valuesOf } from './template-values.js';
import { kindWords } from './words.js';

const allParts: readonly { name: keyof TemplateValues; label: string }[] = [
  { name: 'introduction', label: 'Introduction' },
  { name: 'questions', label: 'Questions' },
  { name: 'checklist', label: 'Checklist' },
  { name: 'deliveryDays', label: 'Delivery time' },
  { name: 'welcome', label: 'Welcome message' },
];

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
    .filter(({ name }) => !isSamePart(mine, theirs, name))
    .map(({ name, label }) => ({
      ...{ name, label, yours: textOf(mine, name), theirs: textOf(theirs, name) },
      onlyTheirsChanged: isSamePart(mine, before, name),
    }));
  const valuesFor = (choice: Readonly<Partial<Record<keyof TemplateValues, ConflictSide>>>): TemplateValues =>
    Object.assign(
      { ...theirs },
      ...parts.map(({ name }) => (choice[name] === 'yours' ? { [name]: mine[name] } : {})),
    );
  return (
    <ConflictChoice
      key={current.version}
      parts={parts}
      partName="part"
      savedAt={current.updatedAt}
      saving={saving}
      resolve={(choice) => void conflict.resolve(valuesFor(choice))}
      edit={(choice) => conflict.edit(valuesFor(choice))}
    />
  );
}

function textOf(values: TemplateValues, name: keyof TemplateValues): string {
  const { questions, checklist, deliveryDays, ...texts } = templateOf(values);
  switch (name) {
    case 'questions':
      return questions.map((question, index) => `${index + 1}. ${questionText(question)}`).join('\n');
    case 'checklist':
      return bulletLines(checklist);
    case 'deliveryDays':
      if (deliveryDays === null) return '';
      // What is not a number is shown as it was typed.
      return Number.isFinite(deliveryDays) ? counted(deliveryDays, 'day') : values.deliveryDays;
    case 'introduction':
    case 'welcome':
      return texts[name];
  }
}

function questionText({ label, help, kind, required, options }: BriefQuestion): string {
  const lines = [label, kindWords[kind] + (required ? ', required' : ''), help, bulletLines(options)];
  return lines.filter(Boolean).join('\n');
}

const bulletLines = (items: readonly string[]) => items.map((item) => `– ${item}`).join('\n');
