import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteInBatches, recipientMailsKeptSeconds } from '#libs/database';
import { Clock, addSeconds } from '#libs/runtime';
import { forgetAttemptsAfterSeconds } from '../credential/failure-delay.js';
import { forgetDevicesAfterSeconds } from '../session/account-device.repository.js';
import { keepLinksSeconds } from '../link/mailed-link.service.js';

/** Where a session came from is personal data. It is kept for a week after the session's end, for looking into incidents. */
const keepSessionsSeconds = 7 * 24 * 60 * 60;

/** An expired invitation is shown for a month, so that it can be sent again. */
const keepInvitationsSeconds = 30 * 24 * 60 * 60;

/**
 * A row is deleted once the time in the column is this many seconds in the past. All of this service's rules for personal data are here, to show how
 * long it is kept, except those for the outbox and the inbox, which are in `RetentionSweeper`, and for `recovery_requests`, which `RecoveryWorker`
 * empties.
 */
const rules: readonly [table: string, column: string, seconds: number][] = [
  ['refresh_tokens', 'expires_at', 0],
  ['sessions', 'ended_at', keepSessionsSeconds],
  ['sessions', 'expires_at', keepSessionsSeconds],
  ['account_links', 'created_at', keepLinksSeconds],
  ['recipient_mails', 'sent_at', recipientMailsKeptSeconds],
  ['account_devices', 'last_seen_at', forgetDevicesAfterSeconds],
  ['admin_invitations', 'expires_at', keepInvitationsSeconds],
  ['google_flows', 'expires_at', 0],
  ['passkey_challenges', 'expires_at', 0],
  ['pending_sign_ins', 'expires_at', 0],
  ['sign_in_attempts', 'last_attempt_at', forgetAttemptsAfterSeconds],
  ['second_factor_attempts', 'last_attempt_at', forgetAttemptsAfterSeconds],
];

/** Replicas can sweep at the same time. */
@Injectable()
export class RetentionWorker {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async sweep(): Promise<void> {
    const now = this.clock.now();
    for (const [table, column, seconds] of rules)
      await deleteInBatches(this.dataSource, table, `${column} <= $1`, [addSeconds(now, -seconds)]);
  }
}
