/**
 * Broadcasts reach every running process and may be lost, so each receiver also checks by itself: on reconnect, and every few seconds. They
 * carry hints, never data.
 */
export const broadcasts = {
  /** `{ version }`: public content is now at this version. */
  contentVersion: 'content.version',
  /** `{ sessionIds?, accountId? }`: these sessions have ended. */
  sessionsEnded: 'identity.sessionsEnded',
  /** `{}`: the list of admins has changed. */
  adminsChanged: 'identity.adminsChanged',
  /** `{ id }`: this uploaded picture was deleted. */
  imageRemoved: 'content.imageRemoved',
  /** `{ projectId }`: the thread of this project has changed. `{ accountId }`: which projects this person may read has changed. */
  projectChanged: 'projects.changed',
  /** `{ id }`: another request waits for this upload. */
  uploadWanted: 'gateway.uploadWanted',
} as const;

export type BroadcastChannel = (typeof broadcasts)[keyof typeof broadcasts];
