import { Status } from '../Status.js';
import type { StatusText } from './words.js';

export function StatusWord({ status: { tone, text, note } }: { status: StatusText }) {
  return (
    <>
      <Status tone={tone}>{text}</Status>
      {note && <span className="status-note">{note}</span>}
    </>
  );
}
