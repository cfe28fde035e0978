import { Injectable } from '@nestjs/common';
import { type EventPayload, type Output, system, teamChanged, teamContract } from '#libs/contracts';
import { OnEvent, RpcClient } from '#libs/transport';
import { BillingMemberRepository } from './billing-member.repository.js';

const defaultPageSize = 500;

/** Events may arrive in any order and more than once: for each member, the newest version of the team counts. */
@Injectable()
export class BillingMemberService {
  constructor(
    private readonly members: BillingMemberRepository,
    private readonly rpc: RpcClient,
  ) {}

  @OnEvent(teamChanged)
  async follow({ role, ...change }: EventPayload<typeof teamChanged>): Promise<void> {
    await this.members.save({ ...change, active: role === 'billing' });
  }

  /**
   * Makes the stored members equal to those of the projects service, in case an event did not take effect. Reads the stored members first. Otherwise,
   * a member who is added while the pages are being read could be missing from them and be deactivated.
   */
  async reconcile(pageSize = defaultPageSize): Promise<void> {
    const before = await this.members.listActive();
    const keyOf = ({ ownerId, accountId }: { ownerId: string; accountId: string }) =>
      `${ownerId} ${accountId}`;
    const known = new Set(before.map(keyOf));
    const found = new Set<string>();
    let page: Output<typeof teamContract.listBillingMembers>;
    let after: { ownerId: string; accountId: string } | null = null;
    do {
      page = await this.rpc.call(
        teamContract.listBillingMembers,
        { after, limit: pageSize },
        { actor: system },
      );
      for (const member of page) {
        found.add(keyOf(member));
        if (!known.has(keyOf(member))) await this.members.save({ ...member, active: true });
      }
      after = page.at(-1) ?? null;
    } while (page.length === pageSize);
    for (const member of before) if (!found.has(keyOf(member))) await this.members.deactivate(member);
  }
}
