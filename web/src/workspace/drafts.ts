/** Unsaved input of one account. It survives a reload, a crash or an expired session, and never leaves this device. */
export interface Draft {
  values: Record<string, string>;
  /** Version of the record that the draft is based on; null if the draft does not depend on a version. */
  version: number | null;
  /** ISO 8601. */
  savedAt: string;
}

const prefix = 'draft:';
const keptForMs = 30 * 24 * 3_600_000;

/** `parts` name the account and what the draft is for, such as a record. */
export function draftKey(...parts: string[]): string {
  return prefix + parts.join(':');
}

/** Undefined if there is no draft, if it is too old or unreadable, or if storage is not available. */
export function readDraft(key: string, now: Date): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Draft> | null;
    if (!draft?.savedAt || !draft.values || typeof draft.values !== 'object') return undefined;
    if (now.getTime() - Date.parse(draft.savedAt) < keptForMs) return draft as Draft;
    localStorage.removeItem(key);
  } catch {
    // There is no storage, or the draft is not JSON.
  }
  return undefined;
}

export function keepDraft(key: string, draft: Omit<Draft, 'savedAt'>, now: Date): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...draft, savedAt: now.toISOString() }));
  } catch {
    // Without storage, there are no drafts.
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage, there are no drafts.
  }
}
