import type { Mail } from '#libs/contracts';
import { mailStateWords } from './mail-states.js';
import { Status } from './Status.js';

export function MailStateLabel({ mail: { state, bouncedAt } }: { mail: Pick<Mail, 'state' | 'bouncedAt'> }) {
  if (bouncedAt) return <Status tone="fault">Bounced</Status>;
  const { word, tone } = mailStateWords[state];
  return <Status tone={tone}>{word}</Status>;
}
