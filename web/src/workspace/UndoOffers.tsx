import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../components/Icon.js';
import { useAccount } from './current-screen.js';
import { focusContent } from './focus-content.js';
import { useSave } from './query.js';
import {
  acceptOffer,
  extendOffer,
  type UndoOffer,
  useUndoOffers,
  withdrawOffer,
  withdrawOffersOfOthers,
} from './undo.js';

/** Always rendered: screen readers announce only changes of a live region that they already know. */
export function UndoOffers() {
  const offers = useUndoOffers();
  const { id: accountId } = useAccount();
  useLayoutEffect(() => withdrawOffersOfOthers(accountId), [accountId]);
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
  const [hovered, setHovered] = useState(false);
  const { save, saving, problem } = useSave(() => acceptOffer(offer));
  const button = useRef<HTMLButtonElement>(null);
  useFocusAfterDialog(button, offer.takesFocus);
  // An offer does not disappear while it has the pointer or the focus.
  const held = focused || hovered;
  useEffect(() => {
    if (held) return () => extendOffer(offer.id);
    const timer = setTimeout(() => withdrawOffer(offer.id), offer.expiresAt - Date.now());
    return () => clearTimeout(timer);
  }, [held, offer.id, offer.expiresAt]);
  async function undo(): Promise<void> {
    if (await save()) focusContent();
  }
  return (
    <div
      className="toast"
      onFocus={() => setFocused(true)}
      // Still counts as focused when the whole window loses the focus.
      onBlur={({ currentTarget }) => setFocused(currentTarget.contains(document.activeElement))}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
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
          focusContent();
        }}
      >
        <Icon name="close" />
        <span className="visually-hidden">Dismiss</span>
      </button>
    </div>
  );
}

/** If `wanted`, focuses the button once no dialog traps the focus: the dialog with the confirmation may still be open. */
function useFocusAfterDialog(button: RefObject<HTMLButtonElement | null>, wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const focus = () => button.current?.focus();
    const dialog = document.querySelector('dialog[open]');
    if (dialog) dialog.addEventListener('close', focus, { once: true });
    // A microtask runs after the effect in which `Layout` focuses a newly opened screen.
    else queueMicrotask(focus);
    return () => dialog?.removeEventListener('close', focus);
  }, [button, wanted]);
}
