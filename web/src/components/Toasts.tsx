import { dismissToast, useToasts } from '../lib/toasts.js';
import { Icon } from './Icon.js';

/** Always rendered: screen readers announce only changes of a live region that they already know. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, text, kind }) => (
        <p className={`toast toast--${kind}`} key={id}>
          <Icon name={kind === 'success' ? 'check' : 'warning'} />
          <span>{text}</span>
          <button className="toast__close" type="button" onClick={() => dismissToast(id)}>
            <Icon name="close" />
            <span className="visually-hidden">Dismiss</span>
          </button>
        </p>
      ))}
    </div>
  );
}
