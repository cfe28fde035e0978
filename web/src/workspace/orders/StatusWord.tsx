import { Status } from '../Status.js';
import type { Word } from './words.js';

export function StatusWord({ word: { tone, text, note } }: { word: Word }) {
  return (
    <>
      <Status tone={tone}>{text}</Status>
      {note && <span className="status-note">{note}</span>}
    </>
  );
}
