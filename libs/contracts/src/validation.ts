import type { z } from 'zod';
import type { FieldError } from './errors.js';

type Issue = z.core.$ZodIssue;

/** A person fixes a few fields at a time, and a stranger's thousand keys are not worth repeating. */
const mostFaults = 20;
/** Characters of a field's path: every known one is shorter. */
const longestField = 200;

/**
 * What a failed parse says to a person: one entry per bad field, in the order of the input, the first fault of each, at most 20.
 * An unknown key is a bad field of its own. `field` is the path in dots (`address.city`, `lines.0.amount`), and `''` when the
 * input as a whole has the wrong shape (an array where an object belongs).
 */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const fault of error.issues.flatMap((issue) => faultsOf(issue, []))) {
    if (!byField.has(fault.field)) byField.set(fault.field, fault);
  }
  return [...byField.values()].slice(0, mostFaults);
}

function faultsOf(issue: Issue, parent: readonly PropertyKey[]): FieldError[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: dotted([...path, key]), message: 'is not a known field' }));
  }
  if (issue.code === 'invalid_union') {
    const closest = closestBranch(issue.errors);
    if (closest) return closest.flatMap((nested) => faultsOf(nested, path));
  }
  return [{ field: dotted(path), message: sentence(issue) }];
}

/** Of a union's branches the one that the input came nearest to; none when no branch was tried. */
function closestBranch(branches: readonly Issue[][]): Issue[] | undefined {
  return [...branches].filter((issues) => issues.length > 0).sort((a, b) => a.length - b.length)[0];
}

/** Zod's own text for an absent value is for programmers. */
function sentence(issue: Issue): string {
  return /^Invalid input: expected .+, received undefined$/.test(issue.message)
    ? 'is required'
    : issue.message;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, longestField);
}
