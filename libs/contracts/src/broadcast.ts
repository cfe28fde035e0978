/**
 * Broadcasts reach every running process and may be lost, so receivers must not depend on them: after a reconnect, or when their copy of the
 * data expires, they refresh it anyway. Broadcasts carry ids and versions, never the data itself.
 */
export const broadcasts = {
  /** `{ version }`: the site's content is now at this version. */
  contentVersion: 'content.version',
  /**
   * `{ sessionIds?, accountId? }`: these sessions, or all sessions of this account, have ended or become fresh, so gateways must ask about them
   * again.
   */
  sessionsEnded: 'identity.sessionsEnded',
  /** `{}`: who may act as an admin may have changed. */
  adminsChanged: 'identity.adminsChanged',
  /** `{ id }`: the files of this uploaded picture were deleted or will be, so gateways must forget them. */
  imageRemoved: 'content.imageRemoved',
  /**
   * `{ projectId }`: the thread of this project has changed, or how far somebody has read it. `{ accountId }`: which projects this person may read
   * has changed.
   */
  projectChanged: 'projects.changed',
  /** `{ id }`: a request waits for the lock of this upload, so the request that holds it has to end. */
  uploadWanted: 'gateway.uploadWanted',
} as const;

export type BroadcastChannel = (typeof broadcasts)[keyof typeof broadcasts];
