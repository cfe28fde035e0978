/**
 * Call it when the session has changed on the server (the address, its verification, or the end of the
 * session): this tab and the others read it again. It is a channel of its own, so this tab's listener in
 * `lib/session.ts` hears it too.
 */
export function sessionChanged(): void {
  const channel = new BroadcastChannel('session');
  channel.postMessage('changed');
  channel.close();
}
