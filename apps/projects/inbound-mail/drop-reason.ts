/** Why a received mail is not added to a thread. */
export type DropReason =
  /** Malformed, or reading it takes too much time or memory. */
  | 'unreadable'
  /** A program wrote it, or a mailing list sent it. */
  | 'automatic'
  /** It was not sent to a reply address with a known token. */
  | 'unknown_token'
  /** The sender’s address is not the confirmed address of the token’s account. */
  | 'other_sender'
  /** The account may no longer write in the project. */
  | 'not_permitted'
  /** It has no attachments, and no text except lines that are marked as quoted. */
  | 'empty'
  | 'repeated'
  /** Handling it failed for hours. */
  | 'failed';

/** The mail is not added to a thread. Trying again would not help. */
export class DroppedMail extends Error {
  constructor(readonly reason: DropReason) {
    super(reason);
  }
}
