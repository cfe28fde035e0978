import { useEffect, useRef, useState } from 'react';
import { Icon } from '../components/Icon.js';
import type { Problem } from '../lib/api.js';
import { takeBack, type UndoOffer, useUndoOffers, withdrawOffer } from './undo.js';

/** Long enough to read it, to see what happened, and to change one's mind. */
const shownForMs = 30_000;

/** The region is always there: a screen reader hears only what is added to a region it knows. */
export function UndoOffers() {
  const offers = useUndoOffers();
  return (
    <div className="notices undo-offers" role="status">
      {offers.map((offer) => (
        <Offer key={offer.id} offer={offer} />
      ))}
    </div>
  );
}

function Offer({ offer }: { offer: UndoOffer }) {
  const [held, setHeld] = useState(false);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const button = useRef<HTMLButtonElement>(null);
  // What was pressed is often gone with what was deleted: the keyboard goes on from here.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  // Nothing disappears from under the pointer or the keyboard.
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => withdrawOffer(offer.id), shownForMs);
    return () => clearTimeout(timer);
  }, [held, offer.id]);
  async function undo(): Promise<void> {
    if (working) return;
    setWorking(true);
    const refused = await takeBack(offer);
    setWorking(false);
    setProblem(refused);
  }
  return (
    <div
      className="notice"
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <Icon name="check" />
      <span>{problem ? problem.sentence : offer.text}</span>
      <button className="button button--plain" type="button" ref={button} onClick={() => void undo()}>
        {working ? 'One moment' : 'Undo'}
      </button>
      <button className="notice__close" type="button" onClick={() => withdrawOffer(offer.id)}>
        <Icon name="close" />
        <span className="visually-hidden">Dismiss</span>
      </button>
    </div>
  );
}
