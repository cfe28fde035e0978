import { useState } from 'react';
import type { Answer } from '../lib/api.js';

/** Another admin saved the record after it was read here. */
export interface Conflict<Stored, Values> {
  current: Stored;
  /** The values typed here. */
  mine: Values;
  /** The values last read or saved here. Where `mine` differs, the value was changed here. */
  before: Values;
}

/** If the newer version has the wanted values, an earlier attempt saved them, and its answer was lost: that is no conflict. */
export const acceptOwn =
  <T>(hasWantedValues: (current: T) => boolean) =>
  (answer: Answer<T, T>): Answer<T, T> => {
    const current = answer.ok ? undefined : answer.problem.current;
    const isOwn = current !== undefined && hasWantedValues(current);
    return isOwn ? { ok: true, value: current, headers: new Headers() } : answer;
  };

interface FormState<Stored, Values> {
  setStored(current: Stored): void;
  setValues(values: Values): void;
}

/**
 * In a conflict, the admin chooses values: `resolve` saves them over the newer record, and `edit` puts them into the form first. `save` must call
 * `show`: with undefined when the conflict is over, or with the next conflict.
 */
export function useConflict<Stored extends { version: number }, Values>(
  state: FormState<Stored, Values>,
  save: (chosen: Values, version: number) => Promise<void>,
) {
  const [conflict, show] = useState<Conflict<Stored, Values>>();
  return {
    show,
    choice: conflict && {
      ...conflict,
      resolve(chosen: Values) {
        state.setStored(conflict.current);
        return save(chosen, conflict.current.version);
      },
      edit(chosen: Values) {
        state.setStored(conflict.current);
        state.setValues(chosen);
        show(undefined);
      },
    },
  };
}
