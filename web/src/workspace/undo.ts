import { useSyncExternalStore } from 'react';
import type { ChangeResult } from './query.js';

/** Something that was done and can be taken back. */
export interface UndoOffer {
  id: number;
  /** What was done. */
  text: string;
  /** Takes it back. */
  undo(): Promise<ChangeResult>;
  /** The keyboard goes on from there: what it was on is gone. */
  takesFocus: boolean;
}

const none: readonly UndoOffer[] = [];
let offers = none;
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly UndoOffer[]): void {
  offers = next;
  listeners.forEach((listener) => listener());
}

/** Says what was done, and offers to take it back; in place of a toast. One at a time: the last thing that was done. */
export function offerUndo(
  text: string,
  undo: UndoOffer['undo'],
  { takesFocus = false }: Partial<Pick<UndoOffer, 'takesFocus'>> = {},
): void {
  set([{ id: nextId++, text, undo, takesFocus }]);
  if (takesFocus) for (const type of pressing) addEventListener(type, goOn, { capture: true, once: true });
}

const pressing = ['keydown', 'pointerdown'] as const;

/** Somebody went on from the offer, or past it: the next screen shows it, and leaves the focus where it is. */
function goOn(): void {
  set(offers.map((offer) => ({ ...offer, takesFocus: false })));
}

export function withdrawOffer(id: number): void {
  set(offers.filter((offer) => offer.id !== id));
}

/** Takes it back. The offer stays if that fails. */
export async function takeBack({ id, undo }: UndoOffer): Promise<ChangeResult> {
  const result = await undo();
  if (typeof result !== 'object') withdrawOffer(id);
  return result;
}

export function useUndoOffers(): readonly UndoOffer[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offers,
    () => none,
  );
}
