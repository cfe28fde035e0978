/**
 * What was typed and not saved, kept by the browser: through a reload, a crash, an expired session. One for each
 * account and record; a draft never leaves this machine.
 */
export interface Draft {
  values: Record<string, string>;
  /** Version of the record that it started from; null for a new record. */
  version: number | null;
  /** ISO 8601. */
  savedAt: string;
}

const prefix = 'draft:';
/** Older ones are forgotten. */
const keptForMs = 30 * 24 * 3_600_000;

/** `parts` name the account and the record. */
export function draftKey(...parts: string[]): string {
  return prefix + parts.join(':');
}

/** Storage may be full, forbidden, or hold anything: then there is no draft, and typing goes on. */
export function readDraft(key: string, now: Date): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Draft> | null;
    if (!draft?.savedAt || typeof draft.values !== 'object') return undefined;
    if (now.getTime() - Date.parse(draft.savedAt) < keptForMs) return draft as Draft;
    localStorage.removeItem(key);
  } catch {
    // As without storage.
  }
  return undefined;
}

export function keepDraft(key: string, draft: Omit<Draft, 'savedAt'>, now: Date): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...draft, savedAt: now.toISOString() }));
  } catch {
    // As without storage.
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // As without storage.
  }
}
