import type { z } from 'zod';
import type { FieldError } from './errors.js';

type Issue = z.core.$ZodIssue;

/** An input can have thousands of unknown keys, each of which is an error. */
const maxErrors = 20;
/** Cuts off only unknown keys: the paths of known fields are shorter. */
const maxFieldLength = 200;

/**
 * Returns the first error of each invalid field, at most 20, worded for people. An unknown key counts as an invalid field. `field` is a path
 * (`lines.0.amount`), or `''` if the input as a whole has the wrong shape.
 */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const fault of error.issues.flatMap((issue) => faultsOf(issue, []))) {
    if (!byField.has(fault.field)) byField.set(fault.field, fault);
  }
  return [...byField.values()].slice(0, maxErrors);
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
  return [{ field: dotted(path), message: messageOf(issue) }];
}

/** The branch of a union that fits the input best. */
function closestBranch(branches: readonly Issue[][]): Issue[] | undefined {
  return [...branches].filter((issues) => issues.length > 0).sort((a, b) => a.length - b.length)[0];
}

/** Replaces Zod's own text for a missing value, which only developers understand. */
function messageOf(issue: Issue): string {
  return /^Invalid input: expected .+, received undefined$/.test(issue.message)
    ? 'is required'
    : issue.message;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, maxFieldLength);
}
