import { type RefObject, useEffect, useRef, useState } from 'react';
import { Icon } from '../components/Icon.js';
import { useSave } from './query.js';
import { takeBack, type UndoOffer, useUndoOffers, withdrawOffer } from './undo.js';

/** Long enough to read it, to see what happened, and to change one's mind. */
const shownForMs = 30_000;

/** The region is always there: a screen reader hears only what is added to a region it knows. */
export function UndoOffers() {
  const offers = useUndoOffers();
  return (
    <div className="toasts undo-offers" role="status">
      {offers.map((offer) => (
        <Offer key={offer.id} offer={offer} />
      ))}
    </div>
  );
}

function Offer({ offer }: { offer: UndoOffer }) {
  const [focused, setFocused] = useState(false);
  const [pointed, setPointed] = useState(false);
  const { save, saving, problem } = useSave(() => takeBack(offer));
  const button = useRef<HTMLButtonElement>(null);
  useFocusOnceFree(button, offer.takesFocus);
  // Nothing disappears from under the pointer or the keyboard.
  const held = focused || pointed;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => withdrawOffer(offer.id), shownForMs);
    return () => clearTimeout(timer);
  }, [held, offer.id]);
  async function undo(): Promise<void> {
    if (await save()) toContent();
  }
  return (
    <div
      className="toast"
      onFocus={() => setFocused(true)}
      // Another window may take the focus for a while: it is still here then.
      onBlur={({ currentTarget }) => setFocused(currentTarget.contains(document.activeElement))}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <Icon name="check" />
      <span>{problem ? problem.sentence : offer.text}</span>
      <button className="button button--plain" type="button" ref={button} onClick={() => void undo()}>
        {saving ? 'One moment' : 'Undo'}
      </button>
      <button
        className="toast__close"
        type="button"
        onClick={() => {
          withdrawOffer(offer.id);
          toContent();
        }}
      >
        <Icon name="close" />
        <span className="visually-hidden">Dismiss</span>
      </button>
    </div>
  );
}

/** As soon as no dialog keeps the focus inside: the one in which it was confirmed is open still. */
function useFocusOnceFree(button: RefObject<HTMLButtonElement | null>, wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const focus = () => button.current?.focus();
    const dialog = document.querySelector('dialog[open]');
    if (dialog) dialog.addEventListener('close', focus, { once: true });
    // After what else a new screen does with the focus when it arrives.
    else queueMicrotask(focus);
    return () => dialog?.removeEventListener('close', focus);
  }, [button, wanted]);
}

/** The button that had the focus is gone. */
function toContent(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}
