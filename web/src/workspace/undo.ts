import { useSyncExternalStore } from 'react';
import type { ChangeResult } from './query.js';

export interface UndoOffer {
  id: number;
  /** What was done. */
  text: string;
  undo(): Promise<ChangeResult>;
  /** As in `Date.now()`, whether or not a screen shows the offer. */
  expiresAt: number;
  /** The offer takes the focus, because the focused element is gone. */
  takesFocus: boolean;
}

const shownForMs = 30_000;

const none: readonly UndoOffer[] = [];
/** At most one: the newest of the signed-in person. */
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
  setOffers([{ id: nextId++, text, undo, expiresAt: Date.now() + shownForMs, takesFocus }]);
  if (takesFocus)
    for (const type of userInput) addEventListener(type, keepFocusElsewhere, { capture: true, once: true });
}

const userInput = ['keydown', 'pointerdown'] as const;

/** A key press or a click shows that the person has moved on. If another screen then shows the offer, the offer does not take the focus. */
function keepFocusElsewhere(): void {
  setOffers(offers.map((offer) => ({ ...offer, takesFocus: false })));
}

let owner: string | undefined;

/** Withdraws the offers of the person who was signed in before. */
export function withdrawOffersOfOthers(accountId: string): void {
  if (owner !== undefined && owner !== accountId) setOffers(none);
  owner = accountId;
}

/** For an offer that was held by the pointer or the focus. */
export function extendOffer(id: number): void {
  setOffers(
    offers.map((offer) => (offer.id === id ? { ...offer, expiresAt: Date.now() + shownForMs } : offer)),
  );
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
