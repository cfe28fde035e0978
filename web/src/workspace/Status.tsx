export type Tone = 'good' | 'waiting' | 'fault' | 'quiet';

/** A state as a word. The colour of its dot adds no information. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  return <span className={`status status--${tone}`}>{children}</span>;
}
