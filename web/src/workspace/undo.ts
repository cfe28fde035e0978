import { useSyncExternalStore } from 'react';
import type { ChangeResult } from './query.js';

export interface UndoOffer {
  id: number;
  /** What was done. */
  text: string;
  undo(): Promise<ChangeResult>;
  /** The offer takes the focus, because the focused element is gone. */
  takesFocus: boolean;
}

const none: readonly UndoOffer[] = [];
/** At most one. */
let offers = none;
let nextId = 1;
const listeners = new Set<() => void>();

function setOffers(next: readonly UndoOffer[]): void {
  offers = next;
  listeners.forEach((listener) => listener());
}

/** Shown instead of a toast. A new offer replaces the one before. */
export function offerUndo(
  text: string,
  undo: UndoOffer['undo'],
  { takesFocus = false }: Partial<Pick<UndoOffer, 'takesFocus'>> = {},
): void {
  setOffers([{ id: nextId++, text, undo, takesFocus }]);
  if (takesFocus)
    for (const type of userInput) addEventListener(type, keepFocusElsewhere, { capture: true, once: true });
}

const userInput = ['keydown', 'pointerdown'] as const;

/** A key press or a click shows that the person has moved on. If another screen then shows the offer, the offer does not take the focus. */
function keepFocusElsewhere(): void {
  setOffers(offers.map((offer) => ({ ...offer, takesFocus: false })));
}

export function withdrawOffer(id: number): void {
  setOffers(offers.filter((offer) => offer.id !== id));
}

/** The offer stays if `undo` returns a problem. */
export async function acceptOffer({ id, undo }: UndoOffer): Promise<ChangeResult> {
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
