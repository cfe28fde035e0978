import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sha256 } from '#libs/database';
import type { FlowSecrets } from './google-client.js';

export interface GoogleFlow extends FlowSecrets {
  returnTo: string;
  /** The session that becomes fresh if its person signs in at Google again; null for a sign-in. */
  sessionId: string | null;
  startedAt: Date;
}

/**
 * Flows of people who are at Google at the moment, to sign in or to confirm who they are. Each belongs to one browser and can be completed only once.
 * No entity: the hashes are never read, and taking a flow has to be a single `DELETE … RETURNING`.
 */
@Injectable()
export class GoogleFlowRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** `browserSecret` is in the browser's cookie. Each tab can have a flow. */
  async insert(flow: GoogleFlow, browserSecret: string, expiresAt: Date): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO google_flows
        (state_hash, browser_hash, nonce, code_verifier, return_to, session_id, started_at, expires_at)
      VALUES (${sha256(flow.state)}, ${sha256(browserSecret)}, ${flow.nonce}, ${flow.codeVerifier}, ${flow.returnTo},
        ${flow.sessionId}, ${flow.startedAt}, ${expiresAt})`;
  }

  /** Deletes and returns the flow; null if there is none, if it has expired, or if it began in another browser. */
  async take(state: string, browserSecret: string, now: Date): Promise<GoogleFlow | null> {
    const [[flow]] = await this.dataSource.sql<[Omit<GoogleFlow, 'state'>[], number]>`
      DELETE FROM google_flows
      WHERE state_hash = ${sha256(state)} AND browser_hash = ${sha256(browserSecret)} AND expires_at > ${now}
      RETURNING nonce, code_verifier AS "codeVerifier", return_to AS "returnTo", session_id AS "sessionId",
        started_at AS "startedAt"`;
    return flow ? { state, ...flow } : null;
  }
}
