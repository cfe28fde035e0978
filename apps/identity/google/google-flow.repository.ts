import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, secondsAfter } from '../clock.js';
import type { FlowSecrets } from './google-client.js';

export interface GoogleFlow extends FlowSecrets {
  returnTo: string;
  /** The session that is to be confirmed; null for a sign-in. */
  sessionId: string | null;
  startedAt: Date;
}

/** Long enough to find a phone for Google's own second factor. */
const LIFETIME_SECONDS = 15 * 60;

/** Sign-ins that are away at Google. Each is known to one browser only, and ends once. */
@Injectable()
export class GoogleFlowRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Keeps what the way back needs. `browser` is the secret of the browser's cookie; several of its tabs may be away at once. */
  async start(flow: GoogleFlow, browser: string): Promise<Date> {
    const expiresAt = secondsAfter(flow.startedAt, LIFETIME_SECONDS);
    await this.dataSource.query(
      `INSERT INTO google_flows (state_hash, browser_hash, nonce, code_verifier, return_to, session_id, started_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        hashOf(flow.state),
        hashOf(browser),
        flow.nonce,
        flow.codeVerifier,
        flow.returnTo,
        flow.sessionId,
        flow.startedAt,
        expiresAt,
      ],
    );
    return expiresAt;
  }

  /** The flow of this state, which is over with that; undefined when there is none, or it was begun in another browser. */
  async end(state: string, browser: string): Promise<GoogleFlow | undefined> {
    const [[row]] = await this.dataSource.query<[FlowRow[], number]>(
      `DELETE FROM google_flows WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
       RETURNING nonce, code_verifier, return_to, session_id, started_at`,
      [hashOf(state), hashOf(browser), this.clock.now()],
    );
    return (
      row && {
        state,
        nonce: row.nonce,
        codeVerifier: row.code_verifier,
        returnTo: row.return_to,
        sessionId: row.session_id,
        startedAt: row.started_at,
      }
    );
  }
}

interface FlowRow {
  nonce: string;
  code_verifier: string;
  return_to: string;
  session_id: string | null;
  started_at: Date;
}

export const newBrowserSecret = (): string => randomBytes(32).toString('base64url');

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
