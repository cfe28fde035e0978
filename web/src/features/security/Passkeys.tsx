import { useRef, useState } from 'react';
import type { Passkey } from '#libs/contracts';
import { Field } from '../../components/Field.js';
import { FormProblem } from '../../components/FormProblem.js';
import { type AnswerOf, callApi } from '../../lib/api.js';
import { useForm } from '../../lib/form.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { loadPasskeyCode } from '../../lib/load-passkey-code.js';
import { showToast } from '../../lib/toasts.js';
import { ConfirmDialog } from '../../workspace/ConfirmDialog.js';
import { focusWhenShown } from '../../workspace/focus-content.js';
import { type ChangeResult, useRefetch } from '../../workspace/query.js';
import { When } from '../../workspace/When.js';

interface PasskeysProps {
  passkeys: readonly Passkey[];
  /** `recoveryCodes` is null if the account already had a second factor. Resolves once the screen shows the new passkey. */
  onAdded(recoveryCodes: string[] | null): Promise<void>;
  onRemoved(): void;
}

export function Passkeys({ passkeys, onAdded, onRemoved }: PasskeysProps) {
  /** `add`, or the id of the passkey to rename. Only one form is open at a time, because the fields of all forms have the same id. */
  const [openForm, setOpenForm] = useState<string>();
  const addButton = useRef<HTMLButtonElement>(null);
  const close = () => setOpenForm(undefined);
  return (
    <section className="panel" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">Passkeys</h2>
      <p>
        Sign in with your fingerprint, face or device PIN instead of a password. Passkeys resist phishing.
      </p>
      {passkeys.length > 0 && (
        <ul className="security-list">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              renaming={openForm === passkey.id}
              startRenaming={() => setOpenForm(passkey.id)}
              stopRenaming={close}
              onRemoved={onRemoved}
            />
          ))}
        </ul>
      )}
      {openForm === 'add' ? (
        <AddForm
          close={() => {
            close();
            focusWhenShown(addButton);
          }}
          onAdded={async (codes) => {
            await onAdded(codes);
            close();
            focusWhenShown(addButton);
            showToast('Passkey added');
          }}
        />
      ) : (
        <p>
          <button className="button" type="button" ref={addButton} onClick={() => setOpenForm('add')}>
            Add passkey
          </button>
        </p>
      )}
    </section>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  renaming: boolean;
  startRenaming(): void;
  stopRenaming(): void;
  onRemoved(): void;
}

function PasskeyRow({
  passkey: { id, name, createdAt, lastUsedAt },
  renaming,
  startRenaming,
  stopRenaming,
  onRemoved,
}: PasskeyRowProps) {
  const [removing, setRemoving] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  async function remove(): Promise<ChangeResult> {
    const answer = await callApi('DELETE /auth/passkeys/:id', { params: { id } });
    if (!answer.ok && answer.problem.status !== 404) return answer.problem;
    announceSessionChange();
    onRemoved();
    return () => showToast('Passkey removed');
  }
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className="security-quiet">
          Added <When at={createdAt} />
          {lastUsedAt ? (
            <>
              , last used <When at={lastUsedAt} />
            </>
          ) : (
            ', not used yet'
          )}
        </p>
      </div>
      {renaming ? (
        <RenameForm
          id={id}
          name={name}
          close={() => {
            stopRenaming();
            focusWhenShown(renameButton);
          }}
        />
      ) : (
        <p className="buttons">
          <button className="button button--quiet" type="button" ref={renameButton} onClick={startRenaming}>
            Rename <span className="visually-hidden">{name}</span>
          </button>
          <button className="button button--quiet" type="button" onClick={() => setRemoving(true)}>
            Remove <span className="visually-hidden">{name}</span>
          </button>
        </p>
      )}
      {removing && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          actionLabel="Remove passkey"
          confirm={remove}
          close={() => setRemoving(false)}
        >
          You’ll no longer be able to sign in with it. Your device may still list it until you delete it there
          too.
        </ConfirmDialog>
      )}
    </li>
  );
}

const checkName = (name: string) => (name.trim() ? undefined : 'Enter a name');

interface RenameFormProps {
  id: string;
  name: string;
  close(): void;
}

function RenameForm({ id, name, close }: RenameFormProps) {
  const refetch = useRefetch();
  const { form, field, problem, sending } = useForm({
    checks: { name: checkName },
    send: (values) =>
      callApi('PUT /auth/passkeys/:id', { params: { id }, body: { name: values.name.trim() } }),
    onSent: () => refetch().then(close),
  });
  return (
    <form className="form security-form" method="post" aria-label={`Rename ${name}`} {...form}>
      <Field {...field('name')} label="New name" defaultValue={name} maxLength={60} autoFocus required />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          Save
        </button>
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function AddForm({ onAdded, close }: Pick<PasskeysProps, 'onAdded'> & { close(): void }) {
  const { form, field, problem, sending } = useForm<'name', AnswerOf<'POST /auth/passkeys'>>({
    checks: { name: checkName },
    send: async ({ name }) => {
      const { makePasskey } = await loadPasskeyCode();
      const made = await makePasskey();
      if ('problem' in made) {
        const problem = made.problem ?? {
          status: 0,
          sentence: 'No passkey was created. Try again.',
          fields: [],
        };
        return { ok: false, problem };
      }
      return callApi('POST /auth/passkeys', { body: { ...made, name: name.trim() } });
    },
    onSent: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <form className="form security-form" method="post" aria-label="Add passkey" {...form}>
      <Field
        {...field('name')}
        label="Passkey name"
        placeholder="My phone"
        maxLength={60}
        autoFocus
        required
      />
      <FormProblem problem={problem} />
      <p className="buttons">
        <button className="button" type="submit" aria-disabled={sending}>
          {sending ? 'One moment' : 'Continue'}
        </button>
        <button className="button button--quiet" type="button" onClick={close}>
          Cancel
        </button>
      </p>
    </form>
  );
}
