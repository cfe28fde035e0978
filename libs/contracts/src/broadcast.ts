/**
 * Broadcasts reach every running process and may be lost, so receivers must not depend on them: they also refresh what they keep after a
 * reconnect or when it expires. They carry ids and versions, never the data itself.
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
