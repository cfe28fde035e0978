import './security.css';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useAccount } from '../../workspace/current-screen.js';
import { CustomerScreen } from '../../workspace/CustomerScreen.js';
import { confirmedChannelName } from '../../workspace/fresh-sign-in.js';
import { Loaded } from '../../workspace/Loaded.js';
import { useQuery, useRefetch } from '../../workspace/query.js';
import { announceSessionChange } from '../../lib/announce-session-change.js';
import { AdminRequirement } from './AdminRequirement.js';
import { AuthenticatorApp } from './AuthenticatorApp.js';
import { Passkeys } from './Passkeys.js';
import { NewRecoveryCodes, RecoveryCodes } from './RecoveryCodes.js';

/**
 * True if this window was opened to confirm the person's identity with Google, and this has succeeded. The window then notifies the site's other
 * windows, and closes.
 */
function useConfirmationWindow(): boolean {
  const confirmed = useLocation().hash === '#confirmed';
  useEffect(() => {
    if (!confirmed) return;
    const channel = new BroadcastChannel(confirmedChannelName);
    channel.postMessage('confirmed');
    channel.close();
    window.close();
  }, [confirmed]);
  return confirmed;
}

export function Component() {
  const confirmed = useConfirmationWindow();
  const { role, email } = useAccount();
  return (
    <CustomerScreen
      title="Security"
      lead="A second factor protects your account, even if someone learns your password."
    >
      {confirmed && (
        <p role="status">Confirmed. You can close this window and continue where you left off.</p>
      )}
      <Panels isAdmin={role === 'Admin'} email={email} />
    </CustomerScreen>
  );
}

function Panels({ isAdmin, email }: { isAdmin: boolean; email: string }) {
  const security = useQuery('GET /auth/security');
  const refetch = useRefetch();
  const [newCodes, setNewCodes] = useState<string[]>();
  /** The first passkey or app comes with recovery codes, which are shown once. Resolves when the screen shows the passkey or app. */
  const onAdded = async (recoveryCodes: string[] | null) => {
    if (recoveryCodes) setNewCodes(recoveryCodes);
    // If admins need a second factor, an admin without one counted as a customer until now.
    announceSessionChange();
    await refetch();
  };
  return (
    <Loaded query={security}>
      {(state) => {
        const factorCount = Number(state.totp !== null) + state.passkeys.length;
        // The codes are deleted with the last passkey or app.
        const onRemoved = () => {
          if (factorCount === 1) setNewCodes(undefined);
        };
        return (
          <>
            {state.required && factorCount === 0 && (
              <p className="security-required" role="status">
                Admins need a second factor. Set one up below to continue.
              </p>
            )}
            {newCodes && (
              <NewRecoveryCodes codes={newCodes} email={email} close={() => setNewCodes(undefined)} />
            )}
            <AuthenticatorApp totp={state.totp} onAdded={onAdded} onRemoved={onRemoved} />
            <Passkeys passkeys={state.passkeys} onAdded={onAdded} onRemoved={onRemoved} />
            {factorCount > 0 && <RecoveryCodes codesLeft={state.recoveryCodesLeft} onRenewed={setNewCodes} />}
            {isAdmin && factorCount > 0 && <AdminRequirement />}
          </>
        );
      }}
    </Loaded>
  );
}
