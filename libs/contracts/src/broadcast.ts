/** Broadcasts may be lost, so receivers also refresh after a reconnect and when their copy expires. They carry ids and versions, never the data. */
export const broadcasts = {
  /** `{ version }` of the site's content. */
  contentVersion: 'content.version',
  /** `{ sessionIds?, accountId? }`: these sessions, or all of this account, have ended or become fresh. */
  sessionsEnded: 'identity.sessionsEnded',
  /** `{}`: who may act as an admin may have changed. */
  adminsChanged: 'identity.adminsChanged',
  /** `{ id }`: the files of this uploaded picture were deleted, or will be. */
  imageRemoved: 'content.imageRemoved',
  /**
   * `{ projectId }`: the thread has changed, or how far somebody has read it. `{ accountId }`: the projects that this person may read have changed.
   */
  projectChanged: 'projects.changed',
  /** `{ id }`: a request waits for the lock of this upload, so the request that holds it has to end. */
  uploadWanted: 'gateway.uploadWanted',
} as const;

export type BroadcastChannel = (typeof broadcasts)[keyof typeof broadcasts];
