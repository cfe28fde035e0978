export type Tone = 'good' | 'waiting' | 'fault' | 'quiet';

/** A state as a word; the dot before it only repeats what the word says. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`status status--${tone}`}>{children}</span>;
}
