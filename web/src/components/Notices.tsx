import { dismiss, useNotices } from '../lib/notices.js';
import { Icon } from './Icon.js';

/** The region is always there: a screen reader hears only what is added to a region it knows. */
export function Notices() {
  const notices = useNotices();
  return (
    <div className="notices" role="status">
      {notices.map(({ id, text }) => (
        <p className="notice" key={id}>
          <Icon name="check" />
          <span>{text}</span>
          <button className="notice__close" type="button" onClick={() => dismiss(id)}>
            <Icon name="close" />
            <span className="visually-hidden">Dismiss</span>
          </button>
        </p>
      ))}
    </div>
  );
}
