import { useState } from 'react';
import type { AccountSession } from '#libs/contracts';
import { callApi } from '../../lib/api.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery } from '../../workspace/query.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { Status } from '../../workspace/Status.js';
import { When } from '../../workspace/When.js';
import { showToast } from '../../lib/toasts.js';

export function Sessions() {
  const query = useQuery('GET /auth/sessions');
  const [sessionToEnd, setSessionToEnd] = useState<AccountSession>();
  const [endingAll, setEndingAll] = useState(false);
  async function end({ id, device }: AccountSession) {
    const answer = await callApi('DELETE /auth/sessions/:id', { params: { id } });
    // A session that no longer exists counts as signed out.
    if (!answer.ok && answer.problem.status !== 404) return answer.problem;
    return () => showToast(`${device} signed out`);
  }
  async function endAll() {
    const answer = await callApi('DELETE /auth/sessions');
    if (!answer.ok) return answer.problem;
    announceSessionChange();
    return undefined;
  }
  return (
    <section className="panel" aria-labelledby="sessions">
      <h2 id="sessions">Where you’re signed in</h2>
      <Loaded query={query}>
        {(sessions) => (
          <ul className="session-list" aria-labelledby="sessions">
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} askToEnd={() => setSessionToEnd(session)} />
            ))}
          </ul>
        )}
      </Loaded>
      <p>
        <button className="button button--quiet" type="button" onClick={() => setEndingAll(true)}>
          Sign out everywhere
        </button>
      </p>
      {sessionToEnd && (
        <ConfirmDialog
          title={`Sign out ${sessionToEnd.device}?`}
          actionLabel="Sign out"
          confirm={() => end(sessionToEnd)}
          close={() => setSessionToEnd(undefined)}
        >
          <p>Anyone using it will need to sign in again.</p>
        </ConfirmDialog>
      )}
      {endingAll && (
        <ConfirmDialog
          title="Sign out everywhere?"
          actionLabel="Sign out everywhere"
          confirm={endAll}
          close={() => setEndingAll(false)}
        >
          <p>This signs you out on every device, including this one.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function SessionLine({ session, askToEnd }: { session: AccountSession; askToEnd(): void }) {
  const { device, address, signedInAt, lastSeenAt, current } = session;
  return (
    <li className="account-row">
      <div className="account-row__text">
        <p className="account-row__name">
          {device} {current && <Status tone="good">This device</Status>}
        </p>
        <p className="account-row__value">
          Last seen <When at={lastSeenAt} time /> from {address}. Signed in <When at={signedInAt} />.
        </p>
      </div>
      {!current && (
        <button
          className="button button--quiet"
          type="button"
          aria-label={`Sign out ${device}, last seen from ${address}`}
          onClick={askToEnd}
        >
          Sign out
        </button>
      )}
    </li>
  );
}
