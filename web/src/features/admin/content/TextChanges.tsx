import { diffWordsWithSpace } from 'diff';
import { Fragment } from 'react';
import type { Section } from '#libs/content-model';
import type { Values } from '../../../workspace/content-api.js';

/** With more changed words and spaces than this, the whole old and new texts are easier to read. */
const maxEdits = 400;

/** Characters of unchanged text on each side of a change. */
const contextLength = 60;

export function changedFields(section: Section, from: Partial<Values>, to: Partial<Values>): string[] {
  return Object.keys(section.fields).filter((name) => (from[name] ?? '') !== (to[name] ?? ''));
}

interface TextChangesProps {
  section: Section;
  from: Partial<Values>;
  to: Partial<Values>;
}

export function TextChanges({ section, from, to }: TextChangesProps) {
  return (
    <dl className="changes">
      {changedFields(section, from, to).map((name) => (
        <div key={name}>
          <dt>{section.fields[name]?.label}</dt>
          <dd>
            <WordChanges from={from[name] ?? ''} to={to[name] ?? ''} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function WordChanges({ from, to }: { from: string; to: string }) {
  const parts = diffWordsWithSpace(from, to, { maxEditLength: maxEdits }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  return parts.map(({ value, added, removed }, index) => {
    if (added || removed) {
      const Tag = added ? 'ins' : 'del';
      return <Tag key={index}>{value}</Tag>;
    }
    return <Fragment key={index}>{shortened(value, index === 0, index === parts.length - 1)}</Fragment>;
  });
}

function shortened(passage: string, isFirst: boolean, isLast: boolean): string {
  if (passage.length <= 2 * contextLength + 1) return passage;
  return `${isFirst ? '' : passage.slice(0, contextLength)}…${isLast ? '' : passage.slice(-contextLength)}`;
}
