import type { Problem } from '../lib/api.js';

/** Why the form was refused: links to the fields to correct, which have their own messages, or a sentence. */
export function FormProblem({ problem }: { problem: Problem | undefined }) {
  return (
    <div role="alert" className="form-problem-region">
      {problem && (
        <p className="form-problem">
          <FieldLinks problem={problem} />
        </p>
      )}
    </div>
  );
}

interface FieldLink {
  id: string;
  label: string;
}

function FieldLinks({ problem: { sentence, fields, shownAtFields } }: { problem: Problem }) {
  // Reading the document is safe: the fields were rendered before the request was refused.
  const links = shownAtFields ? fields.flatMap(({ field }) => linkTo(field)) : [];
  if (links.length === 0) return sentence;
  return (
    <>
      Please check:{' '}
      {links.map(({ id, label }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={`#${id}`} onClick={(event) => focus(event, id)}>
            {label}
          </a>
        </span>
      ))}
    </>
  );
}

/**
 * Empty if no labelled field on the screen has this id. The id of an input is the name of its field. The link’s text is only the first node of the
 * label, because an “(optional)” may follow.
 */
function linkTo(id: string): FieldLink[] {
  const field = document.getElementById(id);
  const labels = field && 'labels' in field ? (field.labels as NodeListOf<HTMLLabelElement> | null) : null;
  const label = labels?.[0]?.firstChild?.textContent?.trim();
  return label ? [{ id, label }] : [];
}

/** Following the link would add an entry to the browser's history. */
function focus(event: { preventDefault(): void }, id: string): void {
  event.preventDefault();
  document.getElementById(id)?.focus();
}
