/**
 * Broadcasts reach every running replica and may be lost; each receiver therefore also re-checks on its own
 * (on reconnect, and each second). They carry hints, never truth.
 */
export const broadcasts = {
  /** `{ version }`: public content is now at this version. */
  contentVersion: 'content.version',
  /** `{ sessionIds?, accountId? }`: forget what you remember of these sessions. */
  sessionsEnded: 'identity.sessionsEnded',
  /** `{}`: forget who is an admin. */
  adminsChanged: 'identity.adminsChanged',
  /** `{ id }`: this uploaded picture is gone, forget its bytes. */
  imageRemoved: 'content.imageRemoved',
} as const;

export type BroadcastChannel = (typeof broadcasts)[keyof typeof broadcasts];
