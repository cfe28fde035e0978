import { dismiss, useToasts } from '../lib/toasts.js';
import { Icon } from './Icon.js';

/** The region is always there: a screen reader hears only what is added to a region it knows. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, text }) => (
        <p className="toast" key={id}>
          <Icon name="check" />
          <span>{text}</span>
          <button className="toast__close" type="button" onClick={() => dismiss(id)}>
            <Icon name="close" />
            <span className="visually-hidden">Dismiss</span>
          </button>
        </p>
      ))}
    </div>
  );
}
