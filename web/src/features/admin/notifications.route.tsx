import { type FormEvent, useState } from 'react';
import { type AdminNotification, adminNotifications, type NotificationSettings } from '#libs/contracts';
import { CheckboxField } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { callApi } from '../../lib/api.js';
import { showToast } from '../../lib/toasts.js';
import { useAccount } from '../../workspace/current-screen.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery, useSave } from '../../workspace/query.js';
import { AdminScreen } from './AdminScreen.js';

const kinds = Object.entries(adminNotifications) as [AdminNotification, string][];

export function Component() {
  const { email } = useAccount();
  const query = useQuery('GET /notification-settings');
  return (
    <AdminScreen lead={`Choose which e-mails you get at ${email}. Other admins choose their own.`}>
      <Loaded query={query}>{(stored) => <Settings stored={stored} />}</Loaded>
    </AdminScreen>
  );
}

function Settings({ stored }: { stored: NotificationSettings }) {
  const [settings, setSettings] = useState(stored);
  const { save, saving, problem } = useSave(async () => {
    const answer = await callApi('PUT /notification-settings', { body: settings });
    if (!answer.ok) return answer.problem;
    return () => showToast('Notifications saved');
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    void save();
  }
  return (
    <section className="panel" aria-labelledby="notifications-heading">
      <h2 id="notifications-heading">Send me an e-mail about</h2>
      <form className="form" method="post" onSubmit={submit}>
        {kinds.map(([kind, label]) => (
          <CheckboxField
            key={kind}
            name={kind}
            label={label}
            checked={settings[kind]}
            // While the settings are being sent, a change would not be.
            onChange={({ target }) =>
              saving || setSettings((before) => ({ ...before, [kind]: target.checked }))
            }
          />
        ))}
        <FormProblem problem={problem} />
        <div className="buttons">
          <button className="button" type="submit" aria-disabled={saving}>
            {saving ? 'Saving' : 'Save'}
          </button>
        </div>
      </form>
      <p>
        All admins always get an e-mail when the list of admins or the account that receives payments changes.
        You can’t turn these e-mails off.
      </p>
    </section>
  );
}
