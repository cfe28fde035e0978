import { useEffect, useState } from 'react';
import { FormProblem } from '../components/FormProblem.js';
import { callApi, type Problem } from '../lib/api.js';
import { announceSessionChange } from '../lib/announce-session-change.js';
import { focusContentIfFocusIsLost } from './focus-content.js';
import { useSave } from './query.js';

export function VerifyCallout({ email }: { email: string }) {
  const [sent, setSent] = useState(false);
  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('POST /auth/resend-verification');
    setSent(answer.ok);
    if (!answer.ok) return explainRateLimit(answer.problem);
    // The address may have been confirmed elsewhere. Then nothing was sent, and the callout disappears.
    announceSessionChange();
    return undefined;
  });
  // Runs when the callout disappears, because that may remove the focused button.
  useEffect(() => focusContentIfFocusIsLost, []);
  return (
    <aside className="verify-callout" aria-label="Your e-mail address">
      <p>
        <strong>Confirm your e-mail address.</strong> Click the link that we sent to {email}. Once it’s
        confirmed, we’ll also e-mail you about your orders.
      </p>
      <p className="verify-callout__again">
        <button
          className="button button--quiet"
          type="button"
          aria-disabled={saving}
          onClick={() => void save()}
        >
          Send new link
        </button>
        <span role="status">{sent && 'Sent. Check your inbox.'}</span>
      </p>
      <FormProblem problem={problem} />
    </aside>
  );
}

/** Mails to an address are limited, and so are calls from a client network. A mail may be on its way, so the sentence says where to look. */
function explainRateLimit(problem: Problem): Problem {
  if (problem.code !== 'RATE_LIMITED') return problem;
  return {
    ...problem,
    sentence:
      'We’ve already sent a link to this address. Check your inbox and your spam folder, or try again later.',
  };
}
